"""The rules of visibility: which viewer may see which data of a league, and when. Pure.

Each value is built from the data that its viewer may know. A deal is open until the store closes it. A match shows
what other bots will still meet on the same deal. So only the organizer sees all of an open deal. Others see fixture
and entries; and ending, places, scores and the kind of a fault, unless the sides of the match are dealt. The author of
the bot also sees a sentence about the fault that the bot has no influence on.
"""
