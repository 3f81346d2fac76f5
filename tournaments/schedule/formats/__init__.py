"""Formats decide the matches of a league. A format is a pure function of the results so far."""

from collections.abc import Iterator
from functools import partial

from tournaments.league.format_settings import (
    BalancedSettings,
    GauntletSettings,
    KnockoutSettings,
    OpenSettings,
    SwissSettings,
)
from tournaments.league.model import League
from tournaments.schedule.formats import balanced_round_robin, gauntlet, knockout, open_league, swiss
from tournaments.schedule.formats.balanced_round_robin import Balance
from tournaments.schedule.formats.format import Format, NothingPlayed
from tournaments.schedule.formats.issued_waves import Decider, IssuedWave, IssuedWaves
from tournaments.schedule.formats.knockout import KnockoutRounds
from tournaments.schedule.formats.knockout_bracket import Bracket
from tournaments.schedule.formats.open_league import OpenLeague
from tournaments.schedule.formats.round_robin import RoundRobin
from tournaments.schedule.formats.swiss import SwissRounds, SwissStanding
from tournaments.schedule.formats.wave import Wave


def format_of(league: League, seed: bytes) -> Format:
    """The format of a league that is planned before it is played. `seed` is the league's, 32 bytes."""
    match league.format:
        case BalancedSettings(matches=int()):
            return RoundRobin(league, partial(balanced_round_robin.chosen_line_ups, league.format, seed))
        case GauntletSettings():
            return RoundRobin(league, partial(gauntlet.Challenged, league.format))
        case _:
            return RoundRobin(league)


def decider_of(league: League, seed: bytes) -> Decider | None:
    """The decider of a league's waves by its results; None if they are planned before it is played.

    `seed` is the league's, 32 bytes.
    """
    decider: Decider
    match league.format:
        case SwissSettings():
            decider = SwissRounds(league.format, league.tables, league.deals, seed)
        case KnockoutSettings():
            decider = KnockoutRounds(league.format, league.tables, league.deals, seed)
        case OpenSettings():
            decider = OpenLeague(league.format, league, seed)
        case _:
            return None
    decider.authors = league.authors
    return decider


def first_wave(league: League, seed: bytes) -> Wave | None:
    """The first wave of a league, whatever its format; None if it has too few bots."""
    decider = decider_of(league, seed)
    if decider is None:
        return format_of(league, seed).wave(0, NothingPlayed())
    issue = decider.decide((), [entry.name for entry in league.entries], tuple)
    return None if issue is None else IssuedWaves(league.game, [issue]).wave(0, NothingPlayed())


def apart(league: League) -> str | None:
    """A sentence if the plan of a league never lets some of its bots meet, not even by way of others; else None."""
    match league.format:
        case BalancedSettings(matches=int()):
            return balanced_round_robin.apart(league.format, league.tables, len(league.entries), league.deals)
        case _:
            return None


def evenness(league: League) -> tuple[Balance, ...]:
    """How even the choice of groups is at each table; empty if no groups are chosen."""
    match league.format:
        case BalancedSettings(matches=int()):
            return balanced_round_robin.balance(league.format, league.tables, len(league.entries), league.deals)
        case _:
            return ()


def problems(league: League) -> Iterator[str]:
    """The faults of a league for its format, a sentence each; empty if there are none."""
    names = [entry.name for entry in league.entries]
    match league.format:
        case BalancedSettings():
            yield from balanced_round_robin.problems(league.format, league.tables, len(names), league.deals)
        case GauntletSettings():
            yield from gauntlet.problems(league.format, names)
        case SwissSettings():
            yield from swiss.problems(league.tables)
        case KnockoutSettings():
            known = names if league.submissions is None else None
            yield from knockout.problems(league.format, league.tables, known)
        case OpenSettings():
            yield from open_league.problems(league.format, league)
