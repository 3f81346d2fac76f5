"""The way of a bot from its author's folder into a league."""
