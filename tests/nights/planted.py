"""Bugs for the simulation to find: for every invariant one that breaks it, as a change of the program while it runs."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple
from unittest.mock import patch

from msgspec.structs import replace

from tests.nights.executor import VirtualExecutor
from tests.nights.invariants import (
    CLOSED,
    DIGEST,
    DOUBLED,
    ENDS,
    GOES_ON,
    INNOCENT,
    LOST,
    PLAYED,
    STANDS,
    TIDY,
    TRUE,
    WHOLE,
)
from tournaments.league.deals import ClosedDeals
from tournaments.league.model import Fixture
from tournaments.play import run
from tournaments.play.match_results import MatchVoided
from tournaments.play.retry_policy import FailedStarts
from tournaments.results import organizer_actions
from tournaments.schedule import counting_rules, league_state, leaving, suspension
from tournaments.schedule.counting_rules import LeagueVerdict
from tournaments.schedule.league_state import LeagueState
from tournaments.store import StoreError, decision_rows, run_lock, store
from tournaments.store.rows import seat_rows
from tournaments.store.run_lock import FileLock


class Planted(NamedTuple):
    """A bug.

    Attributes:
        invariant: the one that it breaks.
        what: what the program does wrong, in words.
        seed: a night in which it shows.
        wrong: what the program has instead of what is right: of what, under which name, and what.
        kind: the format of the leagues that show it; None: any.
    """

    invariant: str
    what: str
    seed: int
    wrong: Sequence[tuple[Any, str, object]]
    kind: str | None = None

    @contextmanager
    def plant(self) -> Iterator[None]:
        """A context in which the program has the bug."""
        with ExitStack() as stack:
            for owner, name, wrong in self.wrong:
                stack.enter_context(patch.object(owner, name, wrong))
            yield


_cannot_start = VirtualExecutor._cannot_start
_save, _offenders, _holder_in, _judge = (
    store.Store.save,
    store.Store.offenders,
    run_lock._holder_in,
    counting_rules.judge,
)
_issue, _change = store.Store.issue, decision_rows.change


def _in_order_of_arrival(
    matches: Mapping[str, Sequence[int]], suspects: frozenset[str]
) -> Iterator[tuple[int, list[str]]]:
    return ((at, [entry]) for entry in sorted(suspects) for at in matches[entry])


def _call_it_void(self: VirtualExecutor, fixture: Fixture) -> MatchVoided:
    """What the program did before with a match that cannot be started."""
    return replace(_cannot_start(self, fixture), cannot_start=False)


def _blame_the_next_seat(*words: Any) -> list[dict[str, Any]]:
    rows = seat_rows(*words)
    faults = [row["fault"] for row in rows]
    return [row | {"fault": fault} for row, fault in zip(rows, faults[-1:] + faults[:-1], strict=True)]


def _save_or_not(*words: Any, **how: Any) -> int:
    try:
        return _save(*words, **how)
    except StoreError:
        return 0


def _all_but_the_first(self: store.Store) -> Iterator[Any]:
    return iter([*_offenders(self)][1:])


def _refuse_after_a_kill(file: FileLock) -> run_lock.Holder | None:
    if _holder_in(file) is not None:
        raise run_lock.LockHeld("another runner plays this league")
    return None


def _not_the_last(*words: Any, **how: Any) -> LeagueVerdict:
    verdict = _judge(*words, **how)
    return replace(verdict, remaining=max(0, verdict.remaining - 1))


def _issue_anyway(self: store.Store, number: int, wave: Any, _known: object, *words: Any) -> bool:
    return _issue(self, number, wave, self.decisions(), *words)


def _from_the_last_wave(
    connection: Any, league: str, name: str, entry: object, now_ms: int, wave: int | None = None
) -> None:
    if entry is None and wave is None:
        wave = len(decision_rows.issues(connection, league)) - 1
    _change(connection, league, name, entry, now_ms, wave)  # type: ignore[arg-type]


def _losses(**organizers: str) -> Mapping[Any, str]:
    """The table with other losses where results decide, by phase."""
    others = {(True, "organizer", phase.replace("_", " ")): loss for phase, loss in organizers.items()}
    return {**leaving.LOSSES, **others}


PLANTED = (
    Planted(
        DIGEST,
        "it suspends bots in the order in which results arrive",
        3,
        [(suspension, "_in_plan_order", _in_order_of_arrival)],
    ),
    Planted(
        PLAYED,
        "it decides waves on unplayed matches",
        0,
        [
            (VirtualExecutor, "_cannot_start", _call_it_void),
            (counting_rules, "undecided", lambda *_: ()),
            (league_state, "undecided", lambda *_: ()),
        ],
        "knockout",
    ),
    Planted(INNOCENT, "it blames the bot in the next seat", 2, [(store, "seat_rows", _blame_the_next_seat)]),
    Planted(LOST, "it tells results that were not stored", 2, [(store.Store, "save", _save_or_not)]),
    Planted(DOUBLED, "it forgets a result at the start", 2, [(store.Store, "offenders", _all_but_the_first)]),
    Planted(ENDS, "it never gives up on a machine that starts nothing", 7, [(FailedStarts, "hopeless", False)]),
    Planted(GOES_ON, "it refuses to go on after a kill", 0, [(run_lock, "_holder_in", _refuse_after_a_kill)]),
    Planted(WHOLE, "it does not wait for the last match of a wave", 0, [(league_state, "judge", _not_the_last)]),
    Planted(
        STANDS,
        "a reinstatement reaches back into waves that have ended",
        31,
        [(organizer_actions, "_first_open_deal", lambda _: 0)],
        "swiss",
    ),
    Planted(
        STANDS,
        "whoever leaves takes the matches of the last wave along, though it is complete",
        19,
        [(decision_rows, "change", _from_the_last_wave)],
        "swiss",
    ),
    Planted(
        STANDS,
        "a bot may leave a league that is over",
        0,
        [(decision_rows, "change", _from_the_last_wave), (leaving, "LOSSES", _losses(over="wave"))],
        "swiss",
    ),
    Planted(
        TRUE,
        "it tells a suspension when a worker sees the fault",
        19,
        [(LeagueState, "decided_suspensions", property(lambda self: self.verdict().suspensions))],
    ),
    Planted(
        TRUE,
        "it promises a wave to a bot that enters the last one",
        58,
        [(leaving.LeagueMoment, "entering", lambda _self: "plays from the next wave")],
        "open",
    ),
    Planted(
        TRUE,
        "it says of a bot that leaves a wave under way that all of its matches count",
        31,
        [
            (leaving, "LOSSES", _losses(under_way="nothing")),
            (decision_rows, "change", _from_the_last_wave),
        ],
        "swiss",
    ),
    Planted(
        DIGEST,
        "it issues a wave although the organizer decided something meanwhile",
        237,
        [(store.Store, "issue", _issue_anyway)],
        "swiss",
    ),
    Planted(
        CLOSED,
        "it plays deals that are closed",
        3,
        [
            (ClosedDeals, "has", lambda *_: False),
            (organizer_actions, "open_deals", lambda _: range(sys.maxsize)),
        ],
        "open",
    ),
    Planted(TIDY, "it leaves the folder of the run", 0, [(run, "end_run", lambda _folder: 0)]),
)
