"""Pairs whose results differ from what all their other matches say."""

import subprocess
import sys
from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace

from referee.core.outcome import Outcome, Side
from tests.conftest import Tell
from tests.tournaments.leagues import league, wave
from tests.tournaments.schedule.formats.authors import LUCK, Result, match
from tournaments.comparison.pair_flags import PairFlag, pair_flags
from tournaments.league.model import League, TableSpec

NAMES = tuple(f"bot{at}" for at in range(7))
LOSER, FRIEND = "bot4@1", "bot2@1"


def played(of: League, seed: object, thrown: float = 0.0, style: float = 0.0) -> Iterator[Result]:
    """A league on a ladder of one point, in which one bot throws a part of its matches against another.

    Every pair fits more or less well: `style` is the deviation of that, in points of rating.
    """
    luck = Random(f"{seed}")
    strength = {entry.name: float(at) for at, entry in enumerate(of.entries)}
    fits = {frozenset((a, b)): luck.gauss(0, style) * (1 if a < b else -1) for a in strength for b in strength}
    for fixture in wave(of):
        one, other = fixture.entries
        ahead = strength[one] - strength[other] + fits[frozenset(fixture.entries)] * (1 if one < other else -1)
        gap = ahead + luck.gauss(0, LUCK * 2**0.5)
        if {one, other} == {LOSER, FRIEND} and luck.random() < thrown:
            gap = 1.0 if one == FRIEND else -1.0
        yield fixture, match(fixture, (1, 2) if gap > 0 else (2, 1))


def flags(deals: int, seed: object, thrown: float = 0.0, style: float = 0.0, **other: object) -> tuple[PairFlag, ...]:
    of = league(NAMES, deals, **other)  # type: ignore[arg-type]
    return pair_flags(of, played(of, seed, thrown, style))


def test_a_pair_whose_matches_are_thrown_is_told_in_words_that_accuse_nobody() -> None:
    (flag,) = flags(50, 1, thrown=1.0)
    assert (flag.bot, flag.against, flag.matches, flag.share) == (FRIEND, LOSER, 100, 1.0)
    assert 0.25 < flag.usual < 0.45
    assert flag.words == (
        f"bot2@1 got 100 of 100 points from bot4@1. By all their other matches {100 * flag.usual:.0f} would be usual."
        " This happens if a bot plays badly against one opponent on purpose, if it crashes against it, or if the"
        " styles fit."
    )


def test_the_matches_of_a_flagged_pair_say_nothing_about_others() -> None:
    for seed in range(3):
        assert [{flag.bot, flag.against} for flag in flags(60, seed, thrown=1.0)] == [{FRIEND, LOSER}]


def test_neither_few_matches_nor_usual_ones_are_flagged() -> None:
    assert flags(8, 1, thrown=1.0) == ()
    assert flags(60, 2) == ()
    assert pair_flags(league(NAMES), []) == ()


def test_what_does_not_count_and_what_two_bots_do_together_is_no_pair() -> None:
    of = league(NAMES, 50)
    own = replace(of, authors=dict.fromkeys((LOSER, FRIEND), "yan"))
    assert pair_flags(own, played(own, 1, thrown=1.0)) == ()
    together = league(NAMES[:3], 30, tables=(TableSpec("of-2", 2, {}, sides=((0, 1),)),))
    won = ((fixture, replace(match(fixture, (1, 1)), outcome=Outcome("won", (1, 1), (Side("all", (0, 1)),))))
           for fixture in wave(together))  # fmt: skip
    assert pair_flags(together, won) == ()


@pytest.mark.slow
def test_honest_pairs_are_flagged_in_few_leagues_and_thrown_ones_in_most(tell: Tell) -> None:
    honest = sum(bool(flags(60, f"honest {number}")) for number in range(100))
    styles = sum(bool(flags(60, f"style {number}", style=1.0)) for number in range(40))
    half = sum(
        any({flag.bot, flag.against} == {LOSER, FRIEND} for flag in flags(150, f"half {number}", thrown=0.5))
        for number in range(20)
    )
    tell("leagues of 7 bots with a flag", {"honest of 100": honest, "styles of 40": styles, "half thrown of 20": half})
    assert honest <= 5
    assert styles <= 4
    assert half >= 10


def test_what_only_shows_flags_and_matches_loads_no_numpy() -> None:
    """Commands that list matches would wait for it."""
    program = "import sys, tournaments.web.queries; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
