"""What the process with the tables and the web server say to each other: questions, answers, and news of a seat."""

from collections.abc import AsyncGenerator
from enum import StrEnum
from typing import Any, Protocol, TypeAlias

import msgspec

from referee.core.outcome import Seat
from tournaments.web.people.table_request import TableRequest


class TableOffer(msgspec.Struct, frozen=True):
    """What visitors may play in one league.

    Attributes:
        league: its name.
        game: the name of its game.
        opponents: the entries that they may play with, sorted.
        move_ms: how long a person may take for a decision.
    """

    league: str
    game: str
    opponents: tuple[str, ...]
    move_ms: int


class Seated(msgspec.Struct, frozen=True):
    """Somebody has a seat.

    Attributes:
        key: opens the seat. Only who sits there knows it.
    """

    key: str


class TableProgress(StrEnum):
    """How far a table is."""

    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"
    VOID = "void"


class TableSettings(msgspec.Struct, frozen=True):
    """A table as somebody at it may know it before the match.

    Attributes:
        league: the name of the league.
        game: the name of the game.
        seat: the seat of who is told this.
        seats: by seat, who sits there: an entry, a person's name, or `~` where a person is awaited.
        course: how far it is.
        why: why it is void, if it is.
        invitations: for who opened the table: each seat of a person that is free, and what lets somebody take it, once.
    """

    league: str
    game: str
    seat: Seat
    seats: tuple[str, ...]
    course: TableProgress
    why: str = ""
    invitations: tuple[tuple[Seat, str], ...] = ()


class SeatNews(msgspec.Struct, frozen=True):
    """What is new at a seat.

    Attributes:
        setting: the table.
        first: the number of the first message here, counted from 0.
        messages: the messages that the seat was sent, byte for byte.
        chosen: by decision, what the person has chosen so far.
        left_ms: how much time is left for the open decision; None if none is open.
    """

    setting: TableSettings
    first: int
    messages: tuple[bytes, ...]
    chosen: dict[int, int]
    left_ms: int | None


class TablesService(Protocol):
    """The tables, wherever they are.

    Every method raises Refused for what cannot be had, and `Away` if the tables cannot be reached.
    """

    async def offers(self) -> tuple[TableOffer, ...]:
        """What visitors may play."""

    async def open(self, wanted_table: TableRequest) -> Seated:
        """Open a table."""

    async def sit(self, invitation: str, name: str) -> Seated:
        """Take the seat that an invitation is for. It is used up by this."""

    def follow(self, key: str) -> AsyncGenerator[SeatNews, None]:
        """What a seat was sent, from the first message on: at once what there is, and then whenever something happens.

        It ends when the table is over and all has been told. While it is followed, the table is not idle.
        """

    async def choose(self, key: str, decision: int, index: int) -> None:
        """Answer the open decision of a seat."""

    async def record(self, key: str) -> bytes:
        """The transcript of a seat's match, once it is over, as a file that visitors may have."""


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
    """One answer on the wire: a refusal, or the value that the question gives, still in bytes.

    Attributes:
        refusal: why there is no value.
        value: the value in msgpack.
    """

    refusal: str | None = None
    value: msgspec.Raw = msgspec.Raw(b"\xc0")


def packed(value: Any) -> msgspec.Raw:
    """A value as it is put into a reply."""
    return msgspec.Raw(msgspec.msgpack.encode(value))
