"""Which matches are played: formats, seating, suspension, and what remains. Pure."""
