"""The messages between the process with the tables and the web server: requests, replies, and news of a seat."""

from collections.abc import AsyncGenerator
from enum import StrEnum
from typing import Any, Protocol, TypeAlias

import msgspec

from referee.core.outcome import Seat
from tournaments.web.people.table_request import TableRequest


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


class TableProgress(StrEnum):
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
        course: the progress of the table.
        why: the reason, if the table is void.
        invitations: for the person who opened the table: each free seat of a person, with a code to take it, once.
    """

    league: str
    game: str
    seat: Seat
    seats: tuple[str, ...]
    course: TableProgress
    why: str = ""
    invitations: tuple[tuple[Seat, str], ...] = ()


class SeatNews(msgspec.Struct, frozen=True):
    """The news of a seat.

    Attributes:
        setting: the table.
        first: the number of the first message here, counted from 0.
        messages: the messages to the seat, byte for byte.
        chosen: by decision, the choices of the person so far.
        left_ms: the time left for the open decision, in milliseconds; None if none is open.
    """

    setting: TableSettings
    first: int
    messages: tuple[bytes, ...]
    chosen: dict[int, int]
    left_ms: int | None


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

    def follow(self, key: str) -> AsyncGenerator[SeatNews, None]:
        """The news of a seat, from the first message on: all past messages at once, and then each new event.

        The stream ends when the table is over and all news are sent. A table with a follower is not idle.
        """

    async def choose(self, key: str, decision: int, index: int) -> None:
        """Answer the open decision of a seat."""

    async def record(self, key: str) -> bytes:
        """The transcript of a seat's match, once it is over, as a file for visitors."""


class OffersRequest(msgspec.Struct, frozen=True, tag="Offers"):
    """`TablesService.offers`."""


class OpenRequest(msgspec.Struct, frozen=True, tag="Open"):
    """`TablesService.open`."""

    wanted_table: TableRequest


class SitRequest(msgspec.Struct, frozen=True, tag="Sit"):
    """`TablesService.sit`."""

    invitation: str
    name: str


class FollowRequest(msgspec.Struct, frozen=True, tag="Follow"):
    """`TablesService.follow`."""

    key: str


class ChooseRequest(msgspec.Struct, frozen=True, tag="Choose"):
    """`TablesService.choose`."""

    key: str
    decision: int
    index: int


class RecordRequest(msgspec.Struct, frozen=True, tag="Fetch"):
    """`TablesService.record`."""

    key: str


Question: TypeAlias = OffersRequest | OpenRequest | SitRequest | FollowRequest | ChooseRequest | RecordRequest


class TablesReply(msgspec.Struct, frozen=True):
    """One reply on the wire: a refusal, or the value that the request returns, still in bytes.

    Attributes:
        refusal: the reason why there is no value.
        value: the value in msgpack.
    """

    refusal: str | None = None
    value: msgspec.Raw = msgspec.Raw(b"\xc0")


def packed(value: Any) -> msgspec.Raw:
    """A value, encoded for a reply."""
    return msgspec.Raw(msgspec.msgpack.encode(value))
