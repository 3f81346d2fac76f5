"""The rules of visibility: which viewer may see which data of a league, and when. Pure.

Each value is built from the data that its viewer may know. A deal is open until the store closes it. A match shows
what other bots will still meet on the same deal. So only the organizer sees all of an open deal. Others see fixture,
entries, ending, places, scores and the kind of a fault; the author of the bot also sees our sentence about the fault.
"""
