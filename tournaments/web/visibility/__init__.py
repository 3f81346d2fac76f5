"""What may be told of a league, to whom, and when. Pure: every value is built up from what its viewer may know.

A deal is open until it is closed in the store. Whoever sees a match sees what others will still meet on the same deal.
So of an open deal nobody but the organizer sees more than fixture, entries, ending, places, scores and the kind of a
fault; its author also our sentence about it.
"""
