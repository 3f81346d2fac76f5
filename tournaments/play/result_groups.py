"""Results in groups: storing many at once costs a fraction of storing each alone."""

from collections.abc import Callable, Iterable, Iterator

from tournaments.league.model import FinishedMatch
from tournaments.play.workers.worker_messages import PAUSE_S, Result

MOST = 32
"""A group is never larger."""

OLDEST_MS = round(PAUSE_S * 1_000)
"""No result waits much longer for the others of its group."""


def in_groups(results: Iterable[Result | None], now_ms: Callable[[], int]) -> Iterator[list[Result]]:
    """The results in the order of their arrival, in groups. A group ends with None, by its size, or by its age.

    It also ends with a match that was not finished, for that may decide which match is given out next. If `results`
    ends with an error, the results before it are given out before it is raised.

    `now_ms` may jump; a group then ends early.
    """
    group: list[Result] = []
    since_ms = 0
    try:
        for result in results:
            if result is not None:
                since_ms = since_ms if group else now_ms()
                group.append(result)
            is_over = (
                not isinstance(result, FinishedMatch) or len(group) == MOST or not 0 <= now_ms() - since_ms < OLDEST_MS
            )
            if group and is_over:
                yield group
                group = []
    except GeneratorExit:
        raise
    except BaseException:  # also one that stops the run: what was played must not be played again
        if group:
            yield group
        raise
    if group:
        yield group
