"""A bot that does not think: it answers each decision with its first action. A node measures itself with it."""

from referee_bot import serve


class FirstAction:
    """One match."""

    def __init__(self, _start: object) -> None:
        """Need nothing of the start."""

    def choose(self, _decision: object) -> int:
        """The first action."""
        return 0


if __name__ == "__main__":
    serve(FirstAction)
