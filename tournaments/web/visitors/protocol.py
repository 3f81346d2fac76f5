"""The messages between the process with the tables and the web server: requests, replies, and news of a seat.

A visitor's request for a table is checked here. Pure.
"""

from collections.abc import AsyncGenerator, Mapping
from enum import StrEnum
from typing import Any, Literal, NoReturn, Protocol

import msgspec

from referee.core.errors import WrongUse
from referee.core.game import AnyGame
from referee.core.outcome import Seat
from referee.files.options import OptionsError, known_options, read_options
from referee.match.transcript import FaultKind
from referee.runtime.host import Bot

PERSON = "~"
"""Stands for a person in the list of seats of a table."""

MOST_SEATS = 12
_MOST_OPTIONS = 32


OPTION, SEAT, NAME, SEATS = "option.", "seat.", "name", "seats"
"""The fields of a form: the prefixes of those for options and for seats, the name of the visitor, and all seats."""


class TableRefused(WrongUse):
    """The request is impossible; the text says why. Nothing has changed.

    Attributes:
        field: the field of the form that has to change; empty if the refusal is about no field of it.
    """

    def __init__(self, reason: str, field: str = "") -> None:
        super().__init__(reason)
        self.field = field


class TableRequest(msgspec.Struct, frozen=True):
    """The table that a visitor requests.

    Attributes:
        league: the name of the league whose bots are requested.
        options: the game's options, as plain values; missing options have their defaults.
        seats: by seat, the name of an entry, or `~` for a person.
        name: the name of the visitor, without the sign.
        own: the seat of the visitor; None for the first seat of a person.
    """

    league: str
    options: dict[str, Any]
    seats: tuple[str, ...]
    name: str
    own: Seat | None = None


def options_of(game: AnyGame, wanted_table: TableRequest, bots: Mapping[str, Bot]) -> Any:
    """The options of the request, as the game's own type.

    `bots` are the bots that visitors may play with, by entry.

    Raises:
        TableRefused: the options are not the game's, the seats do not fit them, or a player cannot sit there.
    """
    if len(wanted_table.options) > _MOST_OPTIONS:
        _refuse(f"there are {len(wanted_table.options)} options; leave out what is not the game's")
    try:
        options = read_options(game, wanted_table.options, "")
    except OptionsError as error:
        problem = error.problems[0].removeprefix(": ")
        _refuse(problem, _option_in(problem, game))
    allowed = game.seats(options)
    if len(wanted_table.seats) not in allowed:
        either = " or ".join(map(str, allowed))
        _refuse(f"{game.name} with these options takes {either} players, not {len(wanted_table.seats)}", SEATS)
    own = wanted_table.own
    if PERSON not in wanted_table.seats or (own is not None and wanted_table.seats[own : own + 1] != (PERSON,)):
        _refuse("no seat is for you; choose one", SEATS)
    for seat, entry in enumerate(wanted_table.seats):
        if entry != PERSON:
            _check_bot(seat, entry, bots, game.name, msgspec.to_builtins(options))
    return options


def _option_in(problem: str, game: AnyGame) -> str:
    """The field of the first option that a refusal names."""
    names = [option.name for option in known_options(game)]
    found = sorted((problem.index(name), name) for name in names if name in problem)
    return f"{OPTION}{found[0][1]}" if found else ""


def _check_bot(seat: Seat, entry: str, bots: Mapping[str, Bot], game: str, options: dict[str, Any]) -> None:
    field = f"{SEAT}{seat}"
    if entry not in bots:
        allowed = ", ".join(sorted(bots)) or "nobody"
        _refuse(f"visitors cannot play with {entry[:80]!r}; they can with {allowed}", field)
    refusal = bots[entry].refusal(game, options)
    if refusal is not None:
        _refuse(refusal, field)


def _refuse(reason: str, field: str = "") -> NoReturn:
    raise TableRefused(reason, field)


class TableOffer(msgspec.Struct, frozen=True):
    """The offer to visitors in one league.

    Attributes:
        league: the name of the league.
        game: the name of its game.
        opponents: the entries that they may play with, sorted.
        move_ms: how long a person may take for a decision.
    """

    league: str
    game: str
    opponents: tuple[str, ...]
    move_ms: int


class Seated(msgspec.Struct, frozen=True):
    """A person has a seat.

    Attributes:
        key: opens the seat. Only the person who sits there knows it.
    """

    key: str


class TablePhase(StrEnum):
    """The progress of a table."""

    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"
    VOID = "void"


class TableSettings(msgspec.Struct, frozen=True):
    """The data about a table that a person at it may know before the match.

    Attributes:
        league: the name of the league.
        game: the name of the game.
        seat: the seat of the person who gets this message.
        seats: by seat, its player: an entry, a person's name, or `~` for a person who has not arrived.
        phase: the progress of the table.
        options: the options of the game, as plain values.
        move_ms: how long a person may take for a decision.
        why: the reason, if the table is void.
        invitations: for the person who opened the table: each free seat of a person, with a code to take it, once.
        match: after the match, the name under which everybody can watch it; empty if it could not be kept.
    """

    league: str
    game: str
    seat: Seat
    seats: tuple[str, ...]
    phase: TablePhase
    options: dict[str, Any]
    move_ms: int
    why: str = ""
    invitations: tuple[tuple[Seat, str], ...] = ()
    match: str = ""


class SeatEnd(msgspec.Struct, frozen=True):
    """The end of a match, as the person at a seat may know it once the match is over.

    Attributes:
        view: the seat's view of the last position, as bytes of the game's codec. No bot gets it.
        ending: one of the game's endings, or `FAULT`.
        places: by seat.
        scores: by seat, if the game counts something.
        faults: the seats that cut the match short, and how.
    """

    view: bytes
    ending: str
    places: tuple[int, ...]
    scores: tuple[int | float, ...] | None
    faults: tuple[tuple[Seat, FaultKind], ...]


class SeatEvents(msgspec.Struct, frozen=True):
    """The news of a seat.

    Attributes:
        setting: the table.
        first: the number of the first message here, counted from 0.
        messages: the messages to the seat, byte for byte.
        chosen: by decision, the choices of the person so far.
        left_ms: the time left for the open decision, in milliseconds; None if none is open.
        end: the end of the match, once it is over and these are its last messages.
    """

    setting: TableSettings
    first: int
    messages: tuple[bytes, ...]
    chosen: dict[int, int]
    left_ms: int | None
    end: SeatEnd | None = None


class TablesService(Protocol):
    """The tables, in this or another process.

    Every method raises `TableRefused` for an impossible request, and `TablesUnreachable` if it cannot reach the tables.
    """

    async def offers(self) -> tuple[TableOffer, ...]:
        """The offers to visitors, one for each league."""

    async def open(self, wanted_table: TableRequest) -> Seated:
        """Open a table."""

    async def sit(self, invitation: str, name: str) -> Seated:
        """Take the seat of an invitation. An invitation works once."""

    def follow(self, key: str) -> AsyncGenerator[SeatEvents, None]:
        """The news of a seat, from the first message on: all past messages at once, and then each new event.

        The stream ends when the table is over and all news are sent. A table with a follower is not idle.
        """

    async def choose(self, key: str, decision: int, index: int) -> None:
        """Answer the open decision of a seat."""

    async def record(self, key: str) -> bytes:
        """The transcript of a seat's match, once it is over, as a file for visitors."""

    async def rematch(self, key: str) -> Seated:
        """The same seat at a new table with the same players and options. The first who asks opens the table."""


class TablesCall(msgspec.Struct, frozen=True):
    """A call of `TablesService` on the wire: the name of a method, and its arguments."""

    method: Literal["offers", "open", "sit", "follow", "choose", "record", "rematch"]
    arguments: tuple[TableRequest | str | int, ...] = ()


class TablesReply(msgspec.Struct, frozen=True):
    """One reply on the wire: a refusal, or the value that the request returns, still in bytes.

    Attributes:
        refusal: the reason why there is no value.
        field: the field of the form that has to change; empty if the refusal is about no field of it.
        value: the value in msgpack.
    """

    refusal: str | None = None
    field: str = ""
    value: msgspec.Raw = msgspec.Raw(b"\xc0")
