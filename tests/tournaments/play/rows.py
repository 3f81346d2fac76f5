"""The rows of the table of `RetryPolicy`: a result of each, and the row of a result."""

from collections.abc import Callable, Mapping
from itertools import product

from msgspec.structs import replace

from tests.tournaments.leagues import match
from tournaments.league.model import FinishedMatch, Fixture
from tournaments.play.match_results import BrokenBatch, MatchPostponed, MatchVoided, Result


def unavailable(finished: FinishedMatch, entry: str) -> FinishedMatch:
    """The match as if this bot had been unavailable before its first choice."""
    return replace(finished, offenders=frozenset({entry}), unavailable=frozenset({entry}))


ROWS: Mapping[str, Callable[[Fixture], Result | BrokenBatch]] = {
    "finished": match,
    "finished, forgiven": lambda fixture: unavailable(match(fixture), fixture.entries[0]),
    "void": lambda fixture: MatchVoided(fixture, "the bot was not started"),
    "void, busy": lambda fixture: MatchVoided(fixture, "no core was free", busy=True),
    "void, busy elsewhere": lambda fixture: MatchVoided(fixture, "no core was free", busy=True, elsewhere=True),
    "void, worker lost": lambda fixture: MatchVoided(fixture, "a worker process was lost", lost_worker=True),
    "cannot start": lambda fixture: MatchVoided(fixture, "setpriv is missing", cannot_start=True),
    "postponed": lambda fixture: MatchPostponed(fixture, fixture.entries[0], "nobody answers"),
    "batch broken by a bot": lambda fixture: BrokenBatch(fixture.entries, fixture.entries[0], "it broke"),
    "batch broken by us": lambda fixture: BrokenBatch(fixture.entries, None, "it broke"),
}
"""By row, a result of a fixture. The first bot of the fixture is the reason, if a bot is."""

NEVER_TOGETHER = [("void, busy elsewhere", row) for row in ("void, busy", "cannot start")]
"""Either nodes play, or this machine does. Nodes that can start nothing are left out."""

PAIRS = {*product(ROWS, ROWS)} - {*NEVER_TOGETHER, *((other, one) for one, other in NEVER_TOGETHER)}
"""The rows of which a run may have one after the other."""


def row_of(result: Result | BrokenBatch) -> str:
    """The row of a result, if whatever may be forgiven is."""
    match result:
        case BrokenBatch():
            return "batch broken by us" if result.culprit is None else "batch broken by a bot"
        case MatchPostponed():
            return "postponed"
        case FinishedMatch():
            return "finished, forgiven" if result.unavailable else "finished"
        case MatchVoided() if result.cannot_start:
            return "cannot start"
        case MatchVoided() if result.busy:
            return "void, busy elsewhere" if result.elsewhere else "void, busy"
        case _:
            return "void, worker lost" if result.lost_worker else "void"
