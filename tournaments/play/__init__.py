"""Plays a league: the run, its workers and nodes, its log, and the repeats of failed matches."""
