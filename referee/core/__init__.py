"""The words everything else is written in: seats, seeds, outcomes and the contract of a game."""
