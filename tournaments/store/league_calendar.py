"""When a league is played and takes bots: extensions and pauses. And what decides, for all leagues, who is played."""

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

import msgspec
import sqlalchemy as sql

from tournaments.league.service_terms import Extension
from tournaments.league.submissions import UNDER_WAY
from tournaments.store.database import Database, insert_of
from tournaments.store.rows import value_of
from tournaments.store.schema import CHANGE, ENTRY, LEAGUE, MATCH, VOID
from tournaments.store.submission_tables import DEADLINE, PAUSE, SUBMISSION, note


class Pause(NamedTuple):
    """A league is not played, because somebody paused it.

    Attributes:
        who: the person, or `organizer`.
        at_ms: since when, in milliseconds since 1970 (UTC).
        why: in words; empty if nobody said it.
    """

    who: str
    at_ms: int
    why: str


class LeagueMarks(NamedTuple):
    """What decides whether a league is played, as far as the store knows it.

    Attributes:
        is_begun: whether a match of it was ever stored.
        is_closed: whether it is closed for good.
        decided: how many decisions of each kind the organizer has made. While they are equal, nothing has changed.
        checks_ms: when each submission was received that is still built or checked.
        pause: its pause; None: it is not paused.
        extensions: all of them, in order.
    """

    is_begun: bool = False
    is_closed: bool = False
    decided: tuple[int, ...] = (0, 0, 0)
    checks_ms: tuple[int, ...] = ()
    pause: Pause | None = None
    extensions: tuple[Extension, ...] = ()


class LeagueCalendar:
    """The extensions and the pause of one league. Every method raises `StoreError` if the store fails."""

    def __init__(self, database: Database, league: str) -> None:
        self._database = database
        self._league = league

    def extend(self, extension: Extension) -> None:
        """Let submissions close later."""
        row = {"league": self._league} | msgspec.structs.asdict(extension)
        about = f"{extension.owner or 'everybody'} until {extension.closes_ms}: {extension.why}"
        with self._database.writing() as connection:
            connection.execute(sql.insert(DEADLINE), row)
            note(connection, self._league, extension.at_ms, extension.who, "extend", about)

    def extensions(self) -> tuple[Extension, ...]:
        """All extensions, in order."""
        with self._database.reading() as connection:
            return _extensions(connection).get(self._league, ())

    def pause(self, pause: Pause) -> None:
        """Let no match begin until `resume`. A league that is paused stays paused as it is."""
        row = {"league": self._league} | pause._asdict()
        with self._database.writing() as connection:
            connection.execute(insert_of(self._database.dialect)(PAUSE).on_conflict_do_nothing(), row)
            note(connection, self._league, pause.at_ms, pause.who, "pause", pause.why)

    def resume(self, who: str, now_ms: int) -> None:
        """Let matches begin again."""
        with self._database.writing() as connection:
            connection.execute(sql.delete(PAUSE).where(PAUSE.c.league == self._league))
            note(connection, self._league, now_ms, who, "resume", "")

    def marks(self) -> Mapping[str, LeagueMarks]:
        """Of each league of the store that was run, submitted to, paused or extended, what decides who is played."""
        with self._database.reading() as connection:
            pauses = {row.league: Pause(row.who, row.at_ms, row.why) for row in connection.execute(sql.select(PAUSE))}
            extensions, checks_ms = _extensions(connection), _checks(connection)
            closed_ms = dict(connection.execute(_CLOSED).tuples().all())
            begun = set(connection.scalars(_BEGUN))
            decided = [dict(connection.execute(query).tuples().all()) for query in _DECIDED]
        return {
            league: LeagueMarks(
                is_begun=league in begun,
                is_closed=closed_ms.get(league) is not None,
                decided=tuple(counts.get(league, 0) for counts in decided),
                checks_ms=checks_ms.get(league, ()),
                pause=pauses.get(league),
                extensions=extensions.get(league, ()),
            )
            for league in {*closed_ms, *pauses, *extensions, *checks_ms, *decided[0]}
        }


_CLOSED = sql.select(LEAGUE.c.league, LEAGUE.c.closed_ms)
_BEGUN = sql.select(LEAGUE.c.league).where(sql.exists().where(MATCH.c.league == LEAGUE.c.league))
_DECIDED = (
    sql.select(CHANGE.c.league, sql.func.count()).group_by(CHANGE.c.league),
    sql.select(ENTRY.c.league, sql.func.count()).where(ENTRY.c.reinstated_ms.is_not(None)).group_by(ENTRY.c.league),
    sql.select(VOID.c.league, sql.func.count()).where(~VOID.c.counts).group_by(VOID.c.league),
)
"""How many changes of the roster there are, exemptions from suspension, and void matches that do not count."""


def _extensions(connection: sql.Connection) -> Mapping[str, tuple[Extension, ...]]:
    found: dict[str, list[Extension]] = defaultdict(list)
    for row in connection.execute(sql.select(DEADLINE).order_by(DEADLINE.c.number)):
        found[row.league].append(value_of(Extension, row))
    return {league: tuple(each) for league, each in found.items()}


def _checks(connection: sql.Connection) -> Mapping[str, tuple[int, ...]]:
    query = sql.select(SUBMISSION.c.league, SUBMISSION.c.received_ms).where(SUBMISSION.c.state.in_(sorted(UNDER_WAY)))
    found: dict[str, list[int]] = defaultdict(list)
    for row in connection.execute(query):
        found[row.league].append(row.received_ms)
    return {league: tuple(each) for league, each in found.items()}
