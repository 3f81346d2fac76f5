"""What may be told of a league that is kept in a store: values of `tournaments.disclosure` for one viewer.

with Shown(league, url) as shown:
    shown.refresh(now_ms)               # seldom: it reads all results, and keeps the tables in the store
    shown.to(Visitor()).standings()     # cheap: it reads what was kept

What is kept is of the last refresh, and says of which moment it is. Everything else is of now.
"""

from types import TracebackType
from typing import Generic, Self, TypeVar

import msgspec

from referee.core.errors import WrongUse
from referee.match.transcript import Transcript
from tournaments.disclosure.bot import BotSeen
from tournaments.disclosure.entry import EntrySeen, SubmissionSeen
from tournaments.disclosure.league import LeagueSeen
from tournaments.disclosure.match import MatchSeen
from tournaments.disclosure.tables import (
    CrosstableSeen,
    RatingsSeen,
    RoundsSeen,
    SidesSeen,
    StandingsSeen,
)
from tournaments.disclosure.viewer import Viewer
from tournaments.logs import Said
from tournaments.model import League
from tournaments.store import Search

Item = TypeVar("Item")


class NotThere(WrongUse):
    """What was asked for is not in the league, or not for the viewer's eyes. Nobody learns which."""


class NotYet(WrongUse):
    """There are no tables before the first refresh, and none of a league that was never run."""


class Page(msgspec.Struct, Generic[Item], frozen=True):
    """A part of a list.

    Attributes:
        items: the part.
        next: the position after its last item, to ask for the next part; None: it is the last.
    """

    items: tuple[Item, ...]
    next: str | None


class Pulse(msgspec.Struct, frozen=True):
    """What changes when something can be shown that could not be shown before. It is cheap; ask every second.

    Attributes:
        stored: how many matches are stored, whether they count or not.
        waves: how many waves were issued.
        deals_closed: all deals with a lower number are closed; None: all of the league are.
        changes: how often the roster was changed.
        at_ms: the moment of the last refresh, in milliseconds since 1970 (UTC); None before the first.
        played: whether somebody plays the league now.
    """

    stored: int
    waves: int
    deals_closed: int | None
    changes: int
    at_ms: int | None
    played: bool


class Shown:
    """A league with its store, to be shown to many viewers. It may be played meanwhile, and need not have been run."""

    def __init__(self, league: League, url: str) -> None:
        """`league` is as its file is now; `url` is the address of its store."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the store."""
        raise NotImplementedError

    def pulse(self) -> Pulse:
        """What changes when something changes."""
        raise NotImplementedError

    def refresh(self, now_ms: int) -> bool:
        """Compute the tables anew and keep them in the store, unless nothing changed; whether there are tables now.

        It reads all results: a few seconds for 100,000 matches.
        """
        raise NotImplementedError

    def to(self, viewer: Viewer) -> "Showing":
        """What this viewer may see."""
        raise NotImplementedError


class Showing:
    """A league for one viewer. Every method may raise `StoreError`."""

    def league(self) -> LeagueSeen:
        """The league: its settings, how far it is, the seed's commitment and, when it may be told, the seed."""
        raise NotImplementedError

    def standings(self, table: str | None = None, after: int = 0, most: int = 100) -> StandingsSeen:
        """A page of the table; of one of several tables if `table` names it.

        Raises:
            NotYet: there are no tables.
            NotThere: there is no table of that name, or only one.
        """
        raise NotImplementedError

    def crosstable(self, row: int = 0, column: int = 0) -> CrosstableSeen:
        """50 × 50 cells of the crosstable, from these positions on.

        Raises:
            NotYet: there are no tables.
        """
        raise NotImplementedError

    def sides(self) -> SidesSeen:
        """How seats and sides fared, and bots by pairs.

        Raises:
            NotYet: there are no tables.
        """
        raise NotImplementedError

    def ratings(self, *bots: str) -> RatingsSeen:
        """The ratings of these bots over the matches; of the first ten if none is named.

        Raises:
            NotYet: there are no tables.
            NotThere: one of the bots is not in the league.
        """
        raise NotImplementedError

    def rounds(self, after: int = 0, most: int = 100) -> RoundsSeen | None:
        """The bracket, or a page of the table of a Swiss; None in other formats.

        Raises:
            NotYet: there are no tables.
        """
        raise NotImplementedError

    def matches(self, search: Search | None = None, after: str | None = None, most: int = 50) -> Page[MatchSeen]:
        """The matches that were stored, the latest deal first, then by fixture.

        Args:
            search: which of them; None: all.
            after: the position at which the page before ended.
            most: how many at most.

        Raises:
            NotThere: `after` is no position.
        """
        raise NotImplementedError

    def match(self, match: str) -> MatchSeen:
        """One match, by the id of its fixture.

        Raises:
            NotThere: it has no result.
        """
        raise NotImplementedError

    def transcript(self, match: str) -> Transcript:
        """The transcript of a match on a closed deal: record, clock and times. It names no place of a bot.

        Raises:
            NotThere: it has no result, or its deal is open to this viewer.
        """
        raise NotImplementedError

    def output(self, match: str) -> tuple[Said, ...]:
        """What the viewer's own bots wrote in a match on a closed deal, as far as it is kept, as it came.

        Raises:
            NotThere: the match has no result, its deal is open to this viewer, or none of the bots is the viewer's.
        """
        raise NotImplementedError

    def bot(self, name: str) -> BotSeen:
        """One bot, by the name of its entry.

        Raises:
            NotThere: it never was in the league.
        """
        raise NotImplementedError

    def entries(self, after: str | None = None, most: int = 100) -> Page[EntrySeen]:
        """The bots that are in the league, or were, by name.

        Args:
            after: the position at which the page before ended.
            most: how many at most.
        """
        raise NotImplementedError

    def submissions(self, after: str | None = None, most: int = 100) -> Page[SubmissionSeen]:
        """What the viewer has submitted, the latest first; for the organizer, what everybody has. Without logs.

        Args:
            after: the position at which the page before ended.
            most: how many at most.

        Raises:
            NotThere: `after` is no position.
        """
        raise NotImplementedError

    def submission(self, number: int) -> SubmissionSeen:
        """One submission with its log.

        Raises:
            NotThere: there is none of this number, or it is somebody else's.
        """
        raise NotImplementedError
