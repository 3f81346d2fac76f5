"""What came of a league: standings, tables, exports, and whether all of it can be verified."""
