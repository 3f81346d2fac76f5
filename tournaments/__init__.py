"""Leagues: the plan, the results, and the ratings of the bots."""
