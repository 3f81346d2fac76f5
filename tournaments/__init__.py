"""Leagues: what is to be played, what was played, and what it says about the bots."""
