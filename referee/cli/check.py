"""`referee check`."""


def check() -> None:
    """Check a bot."""
