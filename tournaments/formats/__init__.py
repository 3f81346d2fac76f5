"""Formats decide the matches of a league. A format is a pure function of the results so far."""

from collections.abc import Sequence

from tournaments.formats.format import Format
from tournaments.formats.issue import Decider, Issue
from tournaments.formats.round_robin import RoundRobin
from tournaments.model import League

__all__ = ["Decider", "Format", "Issue", "decider_of", "format_of"]


def format_of(league: League) -> Format:
    """The format of a league that is planned before it is played."""
    return RoundRobin(league)


def decider_of(league: League, seed: bytes) -> Decider | None:
    """What decides the waves of a league by its results; None if they are planned before it is played.

    Args:
        league: the league.
        seed: its own, 32 bytes.
    """
    return None
