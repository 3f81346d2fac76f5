"""What an organizer does with a league besides playing it: forecast, close, prune, salvage."""
