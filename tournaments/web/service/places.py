"""How many things of one kind may go on at once: so many in all, and so many of each owner."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from tournaments.web.service.replies import Problem


class Places:
    """The places for one kind of thing."""

    def __init__(self, most: int | None, most_each: int, all_taken: str, own_taken: str, retry_after_s: int) -> None:
        """Begin with free places: `most` in all (None: any number), and `most_each` for each owner.

        `all_taken` and `own_taken` say to an owner that there is none, and `retry_after_s` when to try again.
        """
        self._most, self._most_each = most, most_each
        self._all_taken, self._own_taken = all_taken, own_taken
        self._retry = {"retry-after": str(retry_after_s)}
        self._taken: Counter[str] = Counter()

    @contextmanager
    def one(self, owner: str) -> Iterator[None]:
        """Have a place, until the context ends.

        Raises:
            Problem: the owner (429), or all owners together (503), have as many as they may.
        """
        if self._taken[owner] >= self._most_each:
            raise Problem(429, self._own_taken, self._retry)
        if self._most is not None and self._taken.total() >= self._most:
            raise Problem(503, self._all_taken, self._retry)
        self._taken[owner] += 1
        try:
            yield
        finally:
            self._taken[owner] -= 1
            self._taken = +self._taken
