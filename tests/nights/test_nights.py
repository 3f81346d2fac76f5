"""Leagues survive their nights, and the simulation finds the bugs that are planted for it."""

from collections import Counter
from random import Random

import pytest

from tests.nights.executor import Matches
from tests.nights.faults import CHANCES, LASTING
from tests.nights.invariants import INVARIANTS
from tests.nights.leagues import BY_RESULTS, SHAPES, draw_league
from tests.nights.night import play_night
from tests.nights.organizer import COMMANDS
from tests.nights.planted import PLANTED, Planted
from tests.nights.quiet import History, QuietLeague
from tests.tournaments.leagues import SEED
from tests.tournaments.play.rows import PAIRS

FEW = range(2)
"""Of each format; together they take a second or so."""
MANY = range(1_000, 1_300)
"""Together they take about half a minute."""
RARE = (1_479, 1_499, 1_572, 1_672, 5_393)
"""Nights with results that come after each other in none of those."""

NOTHING_HAPPENS = History((), {}, frozenset())

NAMES = [planted.what for planted in PLANTED]


@pytest.mark.parametrize("kind", SHAPES)
def test_a_league_of_each_format_survives_its_nights(kind: str) -> None:
    reports = [play_night(seed, kind) for seed in FEW]
    assert [str(report.broken) for report in reports if report.broken] == []
    assert all(len(report.log) > 3 for report in reports)


@pytest.mark.slow
def test_hundreds_of_leagues_survive_their_nights_in_which_every_fault_strikes_and_each_row_comes_after_each() -> None:
    strikes, pairs = Counter[str](), Counter[tuple[str, str]]()
    for report in map(play_night, (*MANY, *RARE)):
        assert report.broken is None, f"python -m tests.nights {report.seed}"
        strikes.update(report.strikes)
        pairs.update(report.pairs)
    expected = {*LASTING, *CHANCES, *(f"the organizer {command}" for command in COMMANDS)}
    assert expected <= strikes.keys()
    assert pairs.keys() == PAIRS


@pytest.mark.slow
@pytest.mark.parametrize("kind", SHAPES)
def test_a_league_of_the_nights_has_forty_matches_and_two_waves_if_nothing_fails(kind: str) -> None:
    for seed in range(30):
        night = draw_league(Random(seed), kind)
        quiet = QuietLeague(night.league, SEED, Matches(night._replace(failing={})), NOTHING_HAPPENS)
        assert len(quiet.play()) >= 40
        assert len(quiet.issues) >= 2 or kind not in BY_RESULTS


def test_for_every_invariant_a_bug_is_planted() -> None:
    assert {planted.invariant for planted in PLANTED} == set(INVARIANTS)


@pytest.mark.parametrize("planted", PLANTED, ids=NAMES)
def test_a_planted_bug_is_found_in_its_night(planted: Planted) -> None:
    with planted.plant():
        report = play_night(planted.seed, planted.kind)
    assert report.broken is not None
    assert report.broken.invariant == planted.invariant
    assert str(report.broken) in report.log[-1]


@pytest.mark.slow
@pytest.mark.parametrize("planted", PLANTED, ids=NAMES)
def test_a_planted_bug_is_found_among_the_first_nights(planted: Planted) -> None:
    with planted.plant():
        broken = (play_night(seed, planted.kind).broken for seed in range(500))
        assert any(found is not None and found.invariant == planted.invariant for found in broken)


def test_the_night_of_a_seed_is_the_same_whenever_it_is_played() -> None:
    first, second = play_night(7), play_night(7)
    assert first.log == second.log
    assert first.strikes == second.strikes
