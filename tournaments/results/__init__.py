"""The results of a league: standings, tables, exports, and their verification."""
