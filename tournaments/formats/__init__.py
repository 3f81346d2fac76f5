"""Formats decide the matches of a league. A format is a pure function of the results so far."""

from tournaments.formats.format import Format
from tournaments.formats.round_robin import RoundRobin
from tournaments.model import League

__all__ = ["Format", "format_of"]


def format_of(league: League) -> Format:
    """The format of a league."""
    return RoundRobin(league)
