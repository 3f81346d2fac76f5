"""The terms of a served league: the keys of `[service]`, `[visitors]` and `[submissions]` in its file.

They say how the league is served over HTTP, how visitors play against its bots, and how it takes submissions.
"""

from collections.abc import Iterable
from typing import Self

import msgspec

from referee.match.terms import Clock


class VisitorTerms(msgspec.Struct, frozen=True):
    """The terms on which visitors play.

    Attributes:
        opponents: the entries that visitors may play with; if there are none, visitors cannot play.
        tables: how many tables there may be at once.
        move_ms: how long a person may take for a decision, in milliseconds.
        idle_minutes: a table is closed after so many minutes without an open page.
        kept: how many matches are kept; the oldest are deleted first.
        kept_mib: the most that they take on the disk.
    """

    opponents: tuple[str, ...] = ()
    tables: int = 4
    move_ms: int = 600_000
    idle_minutes: int = 15
    kept: int = 1_000
    kept_mib: int = 256

    @property
    def clock(self) -> Clock:
        """The clock of a person."""
        return Clock(move_ms=self.move_ms)


DAY_MS = 24 * 3600 * 1000


class Extension(msgspec.Struct, frozen=True):
    """Submissions close later than the league file says.

    Attributes:
        owner: for whom; empty: for everybody.
        closes_ms: when they close, in milliseconds since 1970 (UTC).
        who: who extended it.
        at_ms: when.
        why: why, in words.
    """

    owner: str
    closes_ms: int
    who: str
    at_ms: int
    why: str


class SubmissionTerms(msgspec.Struct, frozen=True):
    """The limits for authors who submit bots. Numbers of submissions and quotas do not bind the organizer.

    Attributes:
        opens_ms: the league takes no bots before this, in milliseconds since 1970 (UTC); None: open from the beginning.
        closes_ms: the league takes no bots from this on; None: it stays open.
        late_ms: for so long after `closes_ms` it still takes bots, which are marked late, in milliseconds.
        carries_from: the league whose last bots take part until their owners submit one of their own; None: no league.
        entries: how many bots of an author may be on the roster or on their way to it.
        a_day: how many submissions of an author are taken within 24 hours.
        versions: how many versions of a bot are on the roster at once; when a newer one is entered, the oldest is
            withdrawn. None: any number.
        size_mib: the files of a bot together, in MiB, before the build and after it.
        author_mib: all stored files of an author, in MiB.
        free_mib: how much of the disk of the store must stay free, in MiB.
        build_s: how long a build may take, in seconds.
        build_memory_mib: the memory of all processes of a build together, in MiB.
        build_disk_mib: how large the folder of a bot may become during its build, in MiB.
        check_s: how long all checks of a bot may take, in seconds.
        teams: whether the bots of a person in a team belong to the team.
    """

    opens_ms: int | None = None
    closes_ms: int | None = None
    late_ms: int = 0
    carries_from: str | None = None
    entries: int = 10
    a_day: int = 20
    versions: int | None = None
    size_mib: int = 64
    author_mib: int = 1024
    free_mib: int = 1024
    build_s: int = 600
    build_memory_mib: int = 4096
    build_disk_mib: int = 2048
    check_s: int = 1800
    teams: bool = False

    def extended(self, extensions: Iterable[Extension], owner: str | None = None) -> Self:
        """The terms for an owner; None: those for everybody. The latest time that somebody gave them counts."""
        if self.closes_ms is None:
            return self
        closes_ms = [each.closes_ms for each in extensions if each.owner in {"", owner}]
        return msgspec.structs.replace(self, closes_ms=max(self.closes_ms, *closes_ms)) if closes_ms else self

    def late_by_ms(self, received_ms: int) -> int:
        """How late something is that was received then, in milliseconds; 0: it is in time."""
        return 0 if self.closes_ms is None else max(0, received_ms - self.closes_ms)


class ServiceTerms(msgspec.Struct, frozen=True):
    """The cores of a service, and the limits on requests to it.

    Attributes:
        cores: how many cores a run leaves to the service; they are also how many the service uses.
        requests: how many requests of an author, or of a visitor's network, are answered within a minute.
        scrimmages: how many scrimmages an author may ask for within 24 hours, and how many are kept of each.
        seats: how many programs that call the service may be connected at once.
    """

    cores: int = 1
    requests: int = 240
    scrimmages: int = 20
    seats: int = 256
