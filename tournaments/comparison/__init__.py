"""Is the new version of a bot better? From the outcomes of deals to a verdict that may be asked for at any time.

`match_plan` assigns the seats and orders the deals. `verdict` computes the lead on a whole deal, from the shares of its
matches, and puts into words what all deals prove, which `confidence_sequence` computes.
"""
