"""The progress of `league verify`: how many matches were checked, and which do not hold."""


class Checking:
    """An audit in progress.

    Attributes:
        planned: how many matches there are.
        done: how many of them were checked.
        wrong: by the fixture ids of those that do not hold, why.
    """

    def __init__(self, planned: int) -> None:
        self.planned = planned
        self.done = 0
        self.wrong: dict[str, str] = {}

    def take(self, fixture: str, difference: str | None) -> None:
        """Note what is wrong with a match; None: it holds."""
        self.done += 1
        if difference:
            self.wrong[fixture] = difference

    def numbers(self) -> str:
        """How many were checked, and how many of them do not hold."""
        return f"{self.done} of {self.planned}" + (f", {len(self.wrong)} do not hold" if self.wrong else "")
