"""What others reach, measured beside us: a program of the kind that plays chess tournaments, and libraries of games."""
