"""Is the new version of a bot better? From the outcomes of deals to a verdict that may be asked for at any time.

`shares` says what a bot gets from one match, `deals` what a whole deal says, `betting` what all deals prove, and
`verdict` puts it into words. `line_ups` says who sits where, and `waves` in which order deals are played.
"""
