"""Is the new version of a bot better? From the outcomes of deals to a verdict that may be asked for at any time.

`deal_leads` computes the lead on a whole deal, from the shares of its matches. `confidence_sequence` computes what all
deals prove, and `verdict` puts it into words. `line_ups` assigns the seats, and `growing_waves` orders the deals.
"""
