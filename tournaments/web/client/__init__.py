"""A league that is served elsewhere, seen from an author's machine. It needs the standard library only."""
