"""What is our fault, and not a bot's."""


class Void(Exception):
    """The match does not count and is to be played again; the text says why."""
