"""Is the new version of a bot better? From the outcomes of deals to a verdict that may be asked for at any time.

`deals` says what a whole deal says, by the shares of its matches, `betting` what all deals prove, and `verdict` puts it
into words. `line_ups` says who sits where, and `waves` in which order deals are played.
"""
