"""The client of a served league, for an author's machine. It needs only the standard library."""
