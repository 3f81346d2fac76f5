"""What came of a match, as a run receives it: a result, or the reason why there is none."""

from typing import TypeAlias

import msgspec

from tournaments.league.model import FinishedMatch, Fixture


class MatchVoided(msgspec.Struct, frozen=True):
    """The match does not count, through our fault, or because a bot was forgiven.

    Attributes:
        fixture: the fixture of the match.
        reason: why it does not count, in words.
        lost_worker: whether the worker that played it was lost with it.
        busy: whether the reason is that the machine was too busy.
        elsewhere: whether that machine has a pace of its own, which the run need not slow down for.
        cannot_start: whether the reason is that the machine could start nothing, not even a program of ours. Such a
            match did not begin, and nothing of it is stored.
        forgiven: the bots that were unavailable, and that the organizer forgives.
    """

    fixture: Fixture
    reason: str
    lost_worker: bool = False
    busy: bool = False
    elsewhere: bool = False
    cannot_start: bool = False
    forgiven: frozenset[str] = frozenset()


class MatchPostponed(msgspec.Struct, frozen=True):
    """The match did not begin because the bot `entry` could not be reached; it can be played later.

    It is a remote bot that does not answer, or the folder of a bot on this machine is away.
    """

    fixture: Fixture
    entry: str
    reason: str


class BrokenBatch(msgspec.Struct, frozen=True):
    """Matches that were played at once went wrong together. Nothing of them counts; they are played again one by one.

    Attributes:
        entries: the entries of the line-up, by seat.
        culprit: the entry whose bot did something wrong; None if it was our fault.
        reason: what went wrong, in words.
    """

    entries: tuple[str, ...]
    culprit: str | None
    reason: str


Result: TypeAlias = FinishedMatch | MatchVoided | MatchPostponed
