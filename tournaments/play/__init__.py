"""Plays a league: the run, its workers and nodes, its log, and what is tried again."""
