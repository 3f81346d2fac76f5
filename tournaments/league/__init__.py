"""The model of a league: the values that the other packages use. Pure."""
