"""The work of an organizer besides playing the league: forecast, close, prune, salvage."""
