"""The base of all other packages: seats, seeds, outcomes and the contract of a game."""
