"""What everything else is built on: seats, seeds, outcomes and the contract of a game."""
