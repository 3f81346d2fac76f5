"""Decides the waves of a league again, from the results that each was decided from, and notes what would be otherwise.

A stored wave stands, whatever is noted here. A note says that the decision does not follow from the league file and the
results as they are now: the store was changed by other hands, the keys of `[format]` are others than they were, or a
version of this program decided that chose otherwise.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence, Set

from tournaments.formats.format import Counted, SoFar
from tournaments.formats.issue import Decider, Issue
from tournaments.formats.issued import Issued
from tournaments.formats.wave import Wave, spelled
from tournaments.model import Played


class Redeciding(Issued):
    """A `Format`: the waves that were issued. Some of them are decided again as soon as those before are settled.

    Attributes:
        reached: how many waves were asked for so far, from the first.
        notes: a sentence for each difference, in the order of the waves.
    """

    def __init__(
        self, game: str, issues: Sequence[Issue], decider: Decider, again: Set[int], gone: Callable[[int], Set[str]]
    ) -> None:
        """Nothing is decided yet.

        Args:
            game: the name of the game.
            issues: all waves so far, in order.
            decider: decides them again.
            again: the numbers, from 0, of the waves that are to be decided again.
            gone: by the number of a wave: the entries that were withdrawn before it and not entered again.
        """
        super().__init__(game, issues)
        self._decider = decider
        self._again = again
        self._gone = gone
        self.reached = 0
        self.notes: list[str] = []

    def wave(self, number: int, so_far: SoFar) -> Wave | None:
        """The wave with this number, as it was issued; None if it was not."""
        self.reached = number + 1
        if number in self._again:
            said = self._differences(number, so_far.suspensions.keys(), so_far.counted)
            self.notes += [f"wave {number + 1}: {sentence}" for sentence in said]
        return super().wave(number, so_far)

    def _differences(self, number: int, suspended: Set[str], counted: Counted) -> Iterator[str]:
        issue = self._issues[number]
        for names, what in ((suspended, "suspended"), (self._gone(number), "withdrawn")):
            named = [name for name in issue.roster if name in names]
            if named:
                yield f"its roster has {_names(named)}, {what} before it was decided"
        decided = self._decider.decide(tuple(self._issues[:number]), issue.roster, counted)
        if decided is None:
            yield "it would not be decided: the league would be over before it"
        else:
            yield from differences(issue, decided)


class Known:
    """Which results were known when each wave was decided: those of the waves before it.

    Only a match that was abandoned and taken up again may have a result that came later: there the time of storing
    decides.
    """

    def __init__(
        self, issues: Sequence[Issue], times_ms: Sequence[int], results: Sequence[Played], taken_up: Set[str]
    ) -> None:
        """Sort the results.

        Args:
            issues: all waves so far, in order.
            times_ms: when they were issued, in milliseconds since 1970 (UTC).
            results: every result, in any order.
            taken_up: the fixtures, by id, that were taken up again.
        """
        self._first_deals = [issue.first_deal for issue in issues]
        self._times_ms = times_ms
        self._taken_up = taken_up
        by_deal = sorted((spelled(played.fixture).deal, number) for number, played in enumerate(results))
        self._deals = [deal for deal, _ in by_deal]
        self._results = [results[number] for _, number in by_deal]

    def before(self, wave: int) -> list[Played]:
        """The results that were known when the wave with this number, from 0, was decided; all if it was not yet."""
        if wave >= len(self._first_deals):
            return self._results
        earlier = self._results[: bisect_left(self._deals, self._first_deals[wave])]
        by_then = self._times_ms[wave]
        return [played for played in earlier if played.stored_ms <= by_then or played.fixture not in self._taken_up]


def differences(stored: Issue, again: Issue) -> Iterator[str]:
    """What is otherwise in a wave that was decided again, a sentence each."""
    others = len(set(stored.line_ups) - set(again.line_ups))
    missing = len(set(again.line_ups) - set(stored.line_ups))
    if others or missing:
        yield f"{others} of its {len(stored.line_ups)} line-ups would not be played, and {missing} others would"
    elif stored.line_ups != again.line_ups:
        yield "its line-ups would be played in another order"
    if (stored.first_deal, stored.deals) != (again.first_deal, again.deals):
        yield f"it would play {_deals(again)}, not {_deals(stored)}"
    if stored.byes != again.byes:
        yield f"its byes would be {_names(again.byes)}, not {_names(stored.byes)}"


def _deals(issue: Issue) -> str:
    return f"deals {issue.first_deal} to {issue.first_deal + issue.deals - 1}"


def _names(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"
