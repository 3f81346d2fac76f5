"""The errors in a file that a person wrote: each with its place and the values allowed there."""

from collections.abc import Sequence

from referee.core.errors import WrongUse
from referee.core.text import one_line


class FileProblems(WrongUse):
    """A file, or something that it refers to, cannot be used.

    Attributes:
        problems: one sentence for each problem, with its place.
    """

    def __init__(self, problems: Sequence[str]) -> None:
        # They quote what stands in files. The tuple is the only argument, so that the error survives pickling.
        self.problems = tuple(map(one_line, problems))
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n".join(self.problems)
