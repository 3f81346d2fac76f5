"""The table of all operations of the service. Its routes and its description (OpenAPI) are generated from the table.

An operation answers with a value or a stream. Its path begins below the address of a league, `/leagues/NAME`.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

import msgspec

from referee.match.transcript import to_file
from tournaments.league.people import Right
from tournaments.league.scrimmages import MOST_DEALS, ScrimmageRequest
from tournaments.play.bot_logs import LogRecord
from tournaments.schedule.formats.wave import fixture_of
from tournaments.store import MatchResult
from tournaments.web.queries import (
    ENTRY_COLUMNS,
    STANDINGS_COLUMNS,
    LeagueQueries,
    ListPage,
    Pulse,
    StandingsQuery,
)
from tournaments.web.scrimmages import ScrimmageRequests
from tournaments.web.service.authentication import Caller
from tournaments.web.service.league_service import LeagueService
from tournaments.web.visibility.bot_view import BotView, LossesView
from tournaments.web.visibility.entry_view import (
    AccountView,
    EntryView,
    SubmissionAdmission,
    SubmissionStep,
    SubmissionView,
)
from tournaments.web.visibility.league_view import LeagueView
from tournaments.web.visibility.match_view import MatchView, ScrimmageView
from tournaments.web.visibility.table_views import CrosstableView, RatingsView, RoundsSeen, SidesView, StandingsView

Kind: TypeAlias = Literal["value", "file", "replay", "archive", "events"]
"""The kind of an operation: answer a value as JSON; answer a file; draw a match of an author; take an archive; stream
events."""

MOST_LINES = 500
"""The most lines of a page."""

_Number = Annotated[int, msgspec.Meta(ge=0, le=(1 << 53) - 1)]
_Deals = Annotated[int, msgspec.Meta(ge=1, le=MOST_DEALS)]
_Most = Annotated[int, msgspec.Meta(ge=1, le=MOST_LINES)]


class Call(NamedTuple):
    """A request for a value.

    Attributes:
        league_service: of the league.
        asker: the requester.
        arguments: its parameters by name, of the right types; without those that the request left out.
    """

    league_service: LeagueService
    asker: Caller
    arguments: Mapping[str, Any]

    @property
    def showing(self) -> LeagueQueries:
        """The queries of the requester."""
        return self.league_service.to(self.asker)

    @property
    def author(self) -> str:
        """The owner of the requester's bots; for operations that only authors may call."""
        return self.asker.owner

    @property
    def scrimmages(self) -> ScrimmageRequests:
        """The author's scrimmages."""
        return self.league_service.scrimmages_of(self.author)

    def some(self, *names: str) -> dict[str, Any]:
        """The given parameters among these."""
        return {name: self.arguments[name] for name in names if name in self.arguments}


class Parameter(msgspec.Struct, frozen=True):
    """A parameter of an operation.

    Attributes:
        name: its name.
        about: its meaning, for the description.
        type: its type; any type that msgspec can convert a text to.
        place: its place in the request. `rest` is the rest of the path, including slashes.
        repeats: whether it may occur more than once; then it is a list.
    """

    name: str
    about: str
    type: Any = str
    place: Literal["path", "rest", "query"] = "query"
    repeats: bool = False


def by_service(_call: Call) -> Any:
    """Stands for the computation where the service itself handles the call, by the kind of the operation."""
    raise NotImplementedError


class Operation(msgspec.Struct, frozen=True):
    """An operation of the service.

    Attributes:
        name: its unique name.
        path: its path below the league's address, with names of parameters in braces.
        about: one sentence for the description.
        answer: the type of the answer, or of the data of an event; None for a file.
        needs: what the requester must be allowed to do. No operation goes without.
        does: computes the answer to a call, unless the service itself handles calls of this kind.
        parameters: the parameters of the path and of the query.
        kind: its kind.
        method: its HTTP method.
        status: the HTTP status of the answer.
        media: the media type of a file.
        file: the suggested name of a file.
    """

    name: str
    path: str
    about: str
    answer: Any
    needs: Right
    does: Callable[[Call], Any] = by_service
    parameters: tuple[Parameter, ...] = ()
    kind: Kind = "value"
    method: Literal["GET", "POST"] = "GET"
    status: int = 200
    media: str = "application/json"
    file: str = ""


def _page(position: Any = str) -> tuple[Parameter, ...]:
    return (
        Parameter("after", "where the page before ended: its `next`", position),
        Parameter("most", "how many at most", _Most),
    )


def _sort(columns: Iterable[str]) -> Parameter:
    return Parameter("sort", f"by this column, or with - before it largest first: {', '.join(columns)}")


_FIND = Parameter("find", "only with this part in the name of the bot or of its author")
_MATCH = Parameter("match", "the id of a match", place="rest")
_NUMBER = Parameter("number", "the number of a submission", _Number, "path")
_SCRIMMAGE = Parameter("number", "the number of a scrimmage", _Number, "path")
_DEALS = 2
"""The default number of deals of a scrimmage."""

_LABEL = Parameter("label", "tells entries of the same bot apart: `name+label@version`")


def _matches(call: Call) -> ListPage[MatchView]:
    search = call.showing.search(**call.some("bot", "other", "result", "ending", "fault", "table", "seat"))
    return call.showing.matches(search, **call.some("after", "most"))


def _standings(call: Call) -> StandingsView:
    return call.showing.standings(StandingsQuery(**call.some("table", "sort", "find")), **call.some("after", "most"))


def _spar(call: Call) -> ScrimmageView:
    tables = call.league_service.league.tables
    match = call.arguments.get("match", "")
    deal_of = fixture_of(match)
    wanted = ScrimmageRequest(
        bot=call.arguments.get("bot", ""),
        against=tuple(call.arguments.get("against", ())),
        table=call.arguments.get("table", tables[0].name) if deal_of is None else deal_of.table,
        deals=1 if match else call.arguments.get("deals", _DEALS),
        match=match,
    )
    return call.league_service.spar(call.author, wanted)


def _me(call: Call) -> AccountView:
    account, role = call.asker.account, call.asker.role
    assert account is not None  # noqa: S101 - the table says so
    assert role is not None  # noqa: S101 - nobody has an account without
    return AccountView(account.name, account.display_name, role, call.asker.owner)


OPERATIONS: tuple[Operation, ...] = (
    Operation("me", "/api/me", "Who you are in the league.", AccountView, "account", _me),
    Operation(
        "league",
        "/api",
        "The league: its settings, and how far it is.",
        LeagueView,
        "look",
        lambda call: call.showing.league(),
    ),
    Operation(
        "pulse",
        "/api/pulse",
        "What changes when there is something new. It is cheap.",
        Pulse,
        "look",
        lambda call: call.league_service.published_league.pulse(),
    ),
    Operation(
        "standings",
        "/api/standings",
        "A page of the table.",
        StandingsView,
        "look",
        _standings,
        (Parameter("table", "only the matches of this table"), _sort(STANDINGS_COLUMNS), _FIND, *_page(_Number)),
    ),
    Operation(
        "crosstable",
        "/api/crosstable",
        "The bots against each other, 50 by 50.",
        CrosstableView,
        "look",
        lambda call: call.showing.crosstable(**call.arguments),
        (Parameter("row", "the first row", _Number), Parameter("column", "the first column", _Number)),
    ),
    Operation(
        "sides",
        "/api/sides",
        "How seats and sides fared, and bots by pairs.",
        SidesView,
        "look",
        lambda call: call.showing.sides(),
    ),
    Operation(
        "ratings",
        "/api/ratings",
        "Ratings over matches.",
        RatingsView,
        "look",
        lambda call: call.showing.ratings(*call.arguments.get("bot", ())),
        (Parameter("bot", "of this bot; the first ten if none is named", repeats=True),),
    ),
    Operation(
        "rounds",
        "/api/rounds",
        "The bracket of a knock-out, or a page of the table of a Swiss; null in other formats.",
        RoundsSeen | None,
        "look",
        lambda call: call.showing.rounds(**call.arguments),
        _page(_Number),
    ),
    Operation(
        "matches",
        "/api/matches",
        "A page of the matches that were played, the latest deal first.",
        ListPage[MatchView],
        "look",
        _matches,
        (
            Parameter("bot", "with this bot: its name, or a part of its name"),
            Parameter("other", "with this other bot, likewise"),
            Parameter("result", "with this result of the bot", MatchResult),
            Parameter("seat", "in which it has this seat", _Number),
            Parameter("ending", "that ended so"),
            Parameter("fault", "that a fault of this kind cut short"),
            Parameter("table", "at this table"),
            *_page(),
        ),
    ),
    Operation(
        "match",
        "/api/matches/{match}",
        "One match.",
        MatchView,
        "look",
        lambda call: call.showing.match(call.arguments["match"]),
        (_MATCH,),
    ),
    Operation(
        "transcript",
        "/api/transcripts/{match}",
        "The transcript of a match on a closed deal, as a file for `referee replay` and `referee verify`.",
        None,
        "look",
        lambda call: to_file(call.showing.transcript(call.arguments["match"])),
        (_MATCH,),
        kind="file",
        file="match.json",
    ),
    Operation(
        "output",
        "/api/output/{match}",
        "What your own bots wrote in a match on a closed deal.",
        tuple[LogRecord, ...],
        "output",
        lambda call: call.showing.output(call.arguments["match"]),
        (_MATCH,),
    ),
    Operation(
        "entries",
        "/api/entries",
        "A page of the bots that are in the league, or were.",
        ListPage[EntryView],
        "look",
        lambda call: call.showing.entries(**call.arguments),
        (_sort(ENTRY_COLUMNS), _FIND, *_page()),
    ),
    Operation(
        "bot",
        "/api/entries/{bot}",
        "One bot.",
        BotView,
        "look",
        lambda call: call.showing.bot(call.arguments["bot"]),
        (Parameter("bot", "the name of an entry", place="path"),),
    ),
    Operation(
        "losses",
        "/api/losses/{bot}",
        "The losses of a bot by opponent, seat, side and ending, the most surprising ones, and its faults by cause.",
        LossesView,
        "look",
        lambda call: call.showing.losses(call.arguments["bot"]),
        (Parameter("bot", "the name of an entry", place="path"),),
    ),
    Operation(
        "admission",
        "/api/admission",
        "What you may submit now.",
        SubmissionAdmission,
        "submit",
        lambda call: call.league_service.admission(call.author),
    ),
    Operation(
        "submissions",
        "/api/submissions",
        "A page of what you have submitted, the latest first.",
        ListPage[SubmissionView],
        "submissions",
        lambda call: call.showing.submissions(**call.arguments),
        _page(),
    ),
    Operation(
        "submit",
        "/api/submissions",
        "Submit a bot: the body is its archive. The same archive again is the same submission.",
        SubmissionView,
        "submit",
        parameters=(_LABEL,),
        kind="archive",
        status=201,
        method="POST",
    ),
    Operation(
        "submission",
        "/api/submissions/{number}",
        "One submission of yours, with its log.",
        SubmissionView,
        "submissions",
        lambda call: call.showing.submission(call.arguments["number"]),
        (_NUMBER,),
    ),
    Operation(
        "follow",
        "/api/submissions/{number}/events",
        "What happens to a submission of yours, as server-sent events, until it is entered or rejected.",
        SubmissionStep,
        "submissions",
        parameters=(_NUMBER,),
        kind="events",
    ),
    Operation(
        "withdraw",
        "/api/submissions/{number}/withdrawal",
        "Take a bot of yours out of a league that decides by results.",
        SubmissionView,
        "submit",
        lambda call: call.league_service.withdraw(call.asker, call.arguments["number"]),
        (_NUMBER,),
        method="POST",
    ),
    Operation(
        "spar",
        "/api/scrimmages",
        "Ask for a scrimmage: unrated matches of a bot of yours against others, on new deals or on that of a match.",
        ScrimmageView,
        "submit",
        _spar,
        (
            Parameter("bot", "your bot"),
            Parameter("against", "another bot; at a table with more seats, several", repeats=True),
            Parameter("table", "the table; the first if none is named"),
            Parameter("match", "a match that everybody may see: it is played at its table, on its deal only"),
            Parameter("deals", f"how many deals; {_DEALS} if nothing is said", _Deals),
        ),
        status=201,
        method="POST",
    ),
    Operation(
        "scrimmages",
        "/api/scrimmages",
        "Your scrimmages, the latest first.",
        tuple[ScrimmageView, ...],
        "submit",
        lambda call: call.scrimmages.all(),
    ),
    Operation(
        "scrimmage",
        "/api/scrimmages/{number}",
        "One of your scrimmages, with its matches.",
        ScrimmageView,
        "submit",
        lambda call: call.scrimmages.one(call.arguments["number"]),
        (_SCRIMMAGE,),
    ),
    Operation(
        "sparring_output",
        "/api/scrimmages/{number}/output",
        "What your bot wrote in a scrimmage.",
        tuple[LogRecord, ...],
        "submit",
        lambda call: call.scrimmages.output(call.arguments["number"]),
        (_SCRIMMAGE,),
    ),
    Operation(
        "sparring_page",
        "/api/scrimmages/{number}/pages/{match}",
        "A page that steps through a match of a scrimmage as your bot saw it.",
        None,
        "submit",
        lambda call: call.scrimmages.page(call.arguments["number"], call.arguments["match"]),
        (_SCRIMMAGE, _MATCH),
        kind="replay",
        media="text/html",
        file="match.html",
    ),
)
"""All operations on a league."""
