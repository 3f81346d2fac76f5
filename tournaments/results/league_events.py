"""What happened in a league: what the tables of everybody say now, and did not say before. Pure.

An event tells nothing that two looks at the standings would not tell.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal, TypeAlias

import msgspec

from tournaments.results.league_tables import StandingsPart, Summary

EventKind: TypeAlias = Literal["leads", "ahead", "enters", "suspended", "closed"]
"""`leads`: a bot is the first of the table now. `ahead`: it is separated from the next. `closed`: so many deals are."""

_Found: TypeAlias = tuple[EventKind, str, str]
"""The kind of an event, and its bots."""

_FIRST = 10
"""So many lines of the table are compared."""

_MOST = 60


class LeagueEvent(msgspec.Struct, frozen=True, omit_defaults=True):
    """One of them.

    Attributes:
        at_ms: when the tables said it first, in milliseconds since 1970 (UTC).
        matches: how many matches counted then.
        kind: its kind.
        bot: the bot that it is about; empty if it is about none.
        other: the bot that led before, or that the bot is ahead of; empty if there is none.
        deals: how many deals are closed.
    """

    at_ms: int
    matches: int
    kind: EventKind
    bot: str = ""
    other: str = ""
    deals: int = 0


def league_events(
    known: Sequence[LeagueEvent],
    before: tuple[Summary | None, StandingsPart | None],
    now: tuple[Summary, StandingsPart],
    deals: int,
) -> tuple[LeagueEvent, ...]:
    """The known events, and those between two tables of the league, the latest first; the oldest are left out.

    `deals` says how many deals are closed now.
    """
    summary = now[0]
    found: list[_Found] = [("closed", "", "")] * (deals > max((each.deals for each in known), default=0))
    if before[0] is not None:
        found += [("suspended", bot, "") for bot in summary.suspended if bot not in before[0].suspended]
        found += [("enters", bot, "") for bot in sorted({*summary.order}.difference(before[0].order))]
    before_kinds = {(each.kind, each.bot, each.other) for each in known}
    found += (each for each in _order(before[1], now[1]) if each[0] == "leads" or each not in before_kinds)
    events = [
        LeagueEvent(summary.at_ms, summary.matches, *each, deals=deals if each[0] == "closed" else 0) for each in found
    ]
    return (*reversed(events), *known)[:_MOST]


def _order(before: StandingsPart | None, now: StandingsPart) -> Iterator[_Found]:
    """What has changed in the first lines: which bot leads, and which are separated."""
    old, new = (() if part is None else part.lines[:_FIRST] for part in (before, now))
    apart = {(one.bot, other.bot) for one, other in pairwise(old) if one.separated}
    yield from (
        ("ahead", one.bot, other.bot)
        for one, other in pairwise(new)
        if one.separated and one.group == other.group and (one.bot, other.bot) not in apart
    )
    last = old[0].bot if old and old[0].matches else ""
    if new and new[0].matches and new[0].bot != last:
        yield "leads", new[0].bot, last
