"""How a bot comes into a league from its author's folder."""
