"""Pictures of Agent Avenue: the loop with its pawns, what is played and offered, and what each side and seat has."""
