"""Views of a league that was never played. Tests can replace their texts by hostile ones."""

from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from referee.match.terms import Clock
from tournaments.comparison.memory_evidence import MemoryEvidence, MemoryReport
from tournaments.comparison.pair_flags import PairFlag
from tournaments.league.model import StoredVoid
from tournaments.league.service_terms import About
from tournaments.league.status import Fleet, MatchCounts, NodeStatus
from tournaments.rating.bot_records import SeatRecord, SideRecord
from tournaments.rating.cooperation import Cooperation, TeamRecord
from tournaments.results.bot_losses import (
    BetterResult,
    BotFault,
    BotLosses,
    Highlights,
    LossCount,
    LostMatch,
    VersionLead,
)
from tournaments.results.league_events import LeagueEvent
from tournaments.results.standings import CellView, StandingView
from tournaments.schedule.formats import Bracket, SwissStanding
from tournaments.schedule.formats.knockout_bracket import BracketGroup, BracketRound, Contestant
from tournaments.schedule.formats.swiss import SwissRoundResult
from tournaments.web.visibility.bot_view import BotView, EntryView, FaultCause, LossesView, OpponentView, ResultsView
from tournaments.web.visibility.entry_view import LogView, SubmissionView
from tournaments.web.visibility.league_view import (
    FaultsView,
    LeagueView,
    OperationView,
    ProgressView,
    TableView,
)
from tournaments.web.visibility.match_view import ClosedMatchView, MatchSeatView, MatchView, SeatPart, SentenceView
from tournaments.web.visibility.table_views import (
    BracketView,
    CrosstableView,
    RatingsView,
    SidesView,
    StandingsView,
    SwissView,
    TableStamp,
)

NOW_MS = 1_800_000_000_000
BOTS = ("ann@1", "bob@1", "cid@1")
OF = TableStamp(NOW_MS, 120, interim=True, digest=None)

_S = TypeVar("_S")


def league(**other: Any) -> LeagueView:
    values: dict[str, Any] = {
        "name": "autumn",
        "about": About(),
        "game": "agent-avenue",
        "rules_version": 1,
        "format": {"kind": "round-robin", "matches": None},
        "deals": 20,
        "tables": (table("simple"), table("fancy", mode="advanced", ceasefire=True)),
        "clock": Clock(),
        "sandbox": "bubblewrap",
        "rehearsal": False,
        "bots": 3,
        "authors": 2,
        "phase": "under way",
        "stored": 121,
        "progress": ProgressView(NOW_MS, 1, MatchCounts(240, 120, 118, 1, 1), 240),
        "suspended": ("bob@1",),
        "seed_sha256": "ab" * 32,
        "seed": None,
        "own_luck": False,
        "deals_closed": 3,
        "closed_ms": None,
        "takes_bots": True,
        "opens_ms": NOW_MS,
        "closes_ms": NOW_MS,
        "fleet": None,
        "seats": (),
        "memory": None,
        "pairs": (),
    }
    return LeagueView(**(values | other))


NODE = NodeStatus("tls://10.0.0.1:9", "plays", "", 4, 3, 3_100, 2, 12.5, 3.8, 210.0, 0.4, 0.1)
FLEET = Fleet(
    NOW_MS,
    (
        NODE,
        replace(NODE, node="tls://10.0.0.2:9", state="rests", why="was too busy for a match", playing=0, a_second=None),
        replace(NODE, node="tls://10.0.0.3:9", state="lost", why="the run has not heard of it for 10 s", playing=0),
    ),
)


MEMORY = MemoryReport(
    300.0,
    (
        MemoryEvidence("ann@1", 120, 0.25, 4_321.5, noticed=True, time=-0.01),
        MemoryEvidence("bob@1", 120, -0.125, 1.5, noticed=False),
        MemoryEvidence("cid@1", 0, None, 1.0, noticed=False),
    ),
)


PAIR = PairFlag("ann@1", "bob@1", 120, 0.98, 0.55)


def table(name: str, seats: int = 2, sides: tuple[tuple[int, ...], ...] = (), **options: Any) -> TableView:
    return TableView(name, seats, options, "distinct", sides, deals_sides=False)


def standing(bot: str, rank: int, **other: Any) -> StandingView:
    values: dict[str, Any] = {
        "rank": rank,
        "bot": bot,
        "author": "organizer",
        "rating": 30.0 - rank,
        "sigma": 1.0,
        "interval": (29.0 - rank, 31.5 - rank),
        "separated": rank == 1,
        "may_be_best": rank == 1,
        "matches": 80,
        "wins": 40,
        "draws": 0,
        "losses": 40,
        "score": 0.5,
        "faults": rank - 1,
        "mean_decision_ms": 1.25,
        "group": 1,
        "ranks": (rank, rank),
        "first": 0.5,
        "beats_next": 0.6,
        "suspended": bot == "bob@1",
        "trend": (None, 25.0, 28.0),
    }
    return StandingView(**(values | other))


def standings(bots: int = 3, following: int | None = None, **other: Any) -> StandingsView:
    lines = tuple(standing(name, at) for at, name in enumerate(names(min(bots, 100)), 1))
    values: dict[str, Any] = {
        "of": OF, "table": None, "bots": bots, "groups": 1, "lines": lines, "next": following
    }  # fmt: skip
    return StandingsView(**(values | other))


def names(bots: int) -> tuple[str, ...]:
    return (*BOTS, *(f"bot-{number}@1" for number in range(3, bots)))[:bots]


CELL = CellView(40, 0.75, 0.7, 3.0, (1.0, 5.0), 0.8)


def crosstable(bots: int = 3, row: int = 0, column: int = 0) -> CrosstableView:
    every = names(bots)
    rows, columns = every[row : row + 50], every[column : column + 50]
    cells = tuple(tuple(None if one == other else CELL for other in columns) for one in rows)
    return CrosstableView(OF, bots, rows, columns, cells, None, None)


def sides() -> SidesView:
    records = (
        *(TeamRecord((bot,), 30, 12, 0.4, 21.0) for bot in BOTS),
        TeamRecord(("ann@1", "bob@1"), 10, 5, 0.5, None),
        TeamRecord(("ann@1", "ann@1"), 4, 1, 0.25, 3.0),
    )
    return SidesView(
        OF,
        (SeatRecord("simple", 0, 60, 30, 0.5, 0, 0.5), SeatRecord("simple", 1, 60, 30, 0.5, 0, 0.5)),
        (SideRecord("fancy", "mole", 60, 20, 1 / 3, 0, 0.4),),
        (Cooperation(("main",), 12, records),),
    )


def ratings() -> RatingsView:
    return RatingsView(OF, (60, 120), {"ann@1": (None, 27.0), "bob@1": (25.0, 24.5)})


def swiss(bots: int = 3) -> SwissView:
    lines = tuple(
        SwissStanding(
            name, 3.5, 7.25, 1, (SwissRoundResult(("bob@1",), 1.0), None, SwissRoundResult((), 1.0, bye=True))
        )
        for name in names(min(bots, 100))
    )
    return SwissView(OF, 3, bots, lines, 100 if bots > 100 else None)


def bracket() -> BracketView:
    first = BracketRound(
        (
            BracketGroup(
                (Contestant("bob@1", 2, (0.5, 0.6), True), Contestant("cid@1", 3, (0.5, 0.4), False)), 1, "further"
            ),
        ),
        (Contestant("ann@1", 1, (), True),),
    )
    final = BracketRound(
        (BracketGroup((Contestant("ann@1", 1, (0.7,), True), Contestant("bob@1", 2, (0.3,), False)), 1, "score"),), ()
    )
    return BracketView(OF, Bracket((first, final), over=True, champion="ann@1"))


FIXTURE = "agent-avenue/simple/ann@1+bob@1/deal-{}/turn-0"


def match(deal: int = 2, **other: Any) -> MatchView:
    values: dict[str, Any] = {
        "match": FIXTURE.format(deal),
        "table": "simple",
        "deal": deal,
        "rotation": 0,
        "ending": "fault",
        "seats": (
            MatchSeatView(0, "ann@1", "organizer", 1, None, None, None),
            MatchSeatView(1, "bob@1", "dora", 2, 7, "mole", "timeout"),
        ),
        "sentences": (SentenceView(1, "it was silent for 10 s", "Traceback\n  here"),),
        "closed": ClosedMatchView("cd" * 32, NOW_MS, (SeatPart(0, 12, 3_000, None), SeatPart(1, 11, 9_000_000, 11))),
    }
    return MatchView(**(values | other))


def bot(name: str = "bob@1") -> BotView:
    return BotView(
        bot=name,
        author="dora",
        membership="suspended",
        remote=True,
        versions=("bob@0", "bob@1"),
        results=ResultsView(
            of=OF,
            standing=standing("bob@1", 2),
            seats=(SeatRecord("simple", 0, 60, 30, 0.5, 0, 0.5),),
            sides=(SideRecord("fancy", "mole", 60, 20, 1 / 3, 0, 0.4),),
            faults={"timeout": 3, "crash": 1},
            best=(OpponentView("cid@1", 40, 0.75, 0.6),),
            worst=(OpponentView("ann@1", 40, 0.25, 0.3),),
        ),
        source="ef" * 32,
    )


def losses(name: str = "bob@1", of_each: int = 2) -> LossesView:
    """The losses of a bot, with so many lines in each table."""
    others = tuple(each for each in names(of_each + 1) if each != name)[:of_each]
    numbers = range(of_each)
    lost = tuple(LostMatch(FIXTURE.format(deal), name, 0.75) for deal in numbers)
    faults = tuple(BotFault(FIXTURE.format(deal), 1, 11, "timeout") for deal in numbers)
    return LossesView(
        of=OF,
        bot=name,
        losses=BotLosses(
            matches=80,
            losses=40,
            opponents=tuple(LossCount(each, "", 20, 40, FIXTURE.format(0)) for each in others),
            seats=tuple(LossCount(str(seat), "simple", 20, 40, FIXTURE.format(0)) for seat in numbers),
            sides=(LossCount("mole", "fancy", 7, 9, FIXTURE.format(0)),),
            endings=(LossCount("worn_out", "", 40, 50, ""),),
            surprises=lost,
            latest={each.match: "ab" * 32 for each in lost},
            deals_better=3,
            better=tuple(BetterResult(each.match, FIXTURE.format(9), others[0]) for each in lost),
            versions=(VersionLead("bob@0", 12, -0.125, (-0.5, 0.25)), VersionLead("bob@2", 1, 1.0, None)),
            faults=faults,
        ),
        causes=(
            FaultCause("timeout", "The bot did not answer in time.", "it was silent for 10 s", faults),
            FaultCause("crash", "The bot's program ended.", "KeyError: 'sidekick'", faults[:1]),
        ),
    )


OPERATION = OperationView(
    12.5,
    (FaultsView("bob@1", "crash", 3), FaultsView("bob@1", "timeout", 1)),
    2,
    (StoredVoid(FIXTURE.format(3), "the machine was too busy", NOW_MS),),
)
EVENTS = (
    LeagueEvent(NOW_MS, 120, "leads", "ann@1", "bob@1"),
    LeagueEvent(NOW_MS, 120, "ahead", "ann@1", "bob@1"),
    LeagueEvent(NOW_MS, 60, "enters", "cid@1"),
    LeagueEvent(NOW_MS, 60, "suspended", "bob@1"),
    LeagueEvent(NOW_MS, 60, "closed", deals=3),
    LeagueEvent(NOW_MS, 20, "leads", "bob@1"),
)
HIGHLIGHTS = Highlights(LostMatch(FIXTURE.format(0), "ann@1", 0.9), (FIXTURE.format(1), FIXTURE.format(0)))
ENTRY = EntryView("ann@1", "organizer", "plays", remote=False)
LOG = LogView("building", "gcc: error\n\x1b[31m", NOW_MS)
SUBMISSION = SubmissionView(7, "bob@1", "dora", "rejected", "ef" * 32, 4_096, NOW_MS, NOW_MS, (LOG,))


def with_texts(value: _S, text: str) -> _S:
    """The same value with another text wherever a bot, an author or a compiler may have written one."""
    raw = msgspec.to_builtins(value)
    return msgspec.convert(_replaced(raw, text), type(value))


_FOREIGN = {
    "author",
    "bot",
    "champion",
    "ending",
    "entry",
    "fixture",
    "reason",
    "match",
    "name",
    "node",
    "organizer",
    "side",
    "source",
    "stderr",
    "table",
    "text",
    "title",
    "why",
}


def _replaced(raw: Any, text: str, key: str = "") -> Any:
    if isinstance(raw, dict):
        return {name: _replaced(value, text, name) for name, value in raw.items()}
    if isinstance(raw, list):
        return [_replaced(each, text, key) for each in raw]
    return text if isinstance(raw, str) and key in _FOREIGN else raw
