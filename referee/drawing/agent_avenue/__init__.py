"""Pictures of Agent Avenue: the loop with its pawns, the played and offered cards, and the cards of sides and seats."""
