"""Matches among the entries of one author: they count for nobody, and formats avoid them where they can."""

from collections.abc import Iterator
from random import Random
from statistics import fmean, stdev

import pytest
from msgspec.structs import replace

from tests.conftest import Tell
from tests.tournaments.rating.leagues import converged
from tests.tournaments.schedule.formats.authors import MAIN, Field, Result, field_of, league_of, played
from tournaments.league.format_settings import (
    BalancedSettings,
    GauntletSettings,
    KnockoutSettings,
    OpenSettings,
    Settings,
    SwissSettings,
)
from tournaments.league.model import League
from tournaments.rating.contest import contests
from tournaments.rating.ranking import ranking
from tournaments.rating.sides import counting
from tournaments.schedule.formats import Bracket, KnockoutRounds, SwissRounds, SwissStanding, decider_of
from tournaments.schedule.formats.issued_waves import IssuedWave, next_deal
from tournaments.schedule.formats.knockout_rounds import parted

FORMATS: dict[str, Settings] = {
    "round robin": BalancedSettings(),
    "balanced": BalancedSettings(matches=80),
    "gauntlet": GauntletSettings(("main", "own0", "bot1", "bot2", "bot3")),
    "swiss": SwissSettings(5),
    "knockout": KnockoutSettings(),
    "open": OpenSettings(matches=800),
}


def pairs_of(matches: list[Result], found: Field) -> Iterator[tuple[str, ...]]:
    """Those who met and are of one author."""
    own = {MAIN, *found.stooges}
    yield from {tuple(sorted(own & {*fixture.entries})) for fixture, _ in matches if len(own & {*fixture.entries}) > 1}


def lead(of: League, matches: list[Result], found: Field) -> float:
    """How far the main bot is above the honest ones, beyond the truth, in points of rating."""
    names = list(found.strengths)
    honest = [name for name in names if name != MAIN and name not in found.stooges]
    rated = converged(contests(of, matches), names, of.draw_probability)
    true = found.strengths[MAIN] - fmean(found.strengths[name] for name in honest)
    return rated[MAIN].mu - fmean(rated[name].mu for name in honest) - true


def lifted(format_: Settings, leagues: int, bots: int = 9, stooges: int = 2, deals: int = 6) -> list[float]:
    """By league, how much higher the main bot is rated because its stooges lose to it."""
    found = []
    for number in range(leagues):
        leads = []
        for throw in (True, False):
            luck = Random(f"{format_} {number}")
            field = field_of(bots, stooges, 0.8, luck)
            of = league_of(field, format_, luck.randbytes(32), deals)
            leads.append(lead(of, played(of, field, luck, throw=throw), field))
        found.append(leads[0] - leads[1])
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_stooges_do_not_lift_a_rating_in_any_format(name: str) -> None:
    found = lifted(FORMATS[name], 12)
    assert fmean(found) <= 2.5 * stdev(found) / len(found) ** 0.5 + 0.1


@pytest.mark.parametrize("name", ["round robin", "gauntlet"])
def test_in_a_format_that_does_not_pair_by_results_stooges_change_no_rating_at_all(name: str) -> None:
    luck = Random(name)
    field = field_of(7, 2, 0.8, luck)
    of = league_of(field, FORMATS[name], bytes(32), 3)
    thrown = played(of, field, Random(1), throw=True)
    fair = played(of, field, Random(1), throw=False)
    assert thrown != fair
    assert contests(of, thrown) == contests(of, fair)
    counted = replace(of, same_author="count", authors={})
    assert contests(counted, thrown) != contests(counted, fair)
    assert (
        len(contests(counted, thrown)) == len(thrown) > len(contests(of, thrown)) == len(counting(thrown, of.authors))
    )


def places(of: League, matches: list[Result]) -> list[SwissStanding]:
    """The table of a Swiss that was played."""
    rounds = decider_of(of, bytes.fromhex(of.seed or ""))
    assert isinstance(rounds, SwissRounds)
    issues: list[IssuedWave] = []
    while issue := rounds.decide(issues, [entry.name for entry in of.entries], lambda: matches):
        issues.append(issue)
    return rounds.standings(issues, [], lambda: matches)


def bracket(of: League, matches: list[Result]) -> Bracket:
    """The bracket of a knock-out that was played."""
    rounds = decider_of(of, bytes.fromhex(of.seed or ""))
    assert isinstance(rounds, KnockoutRounds)
    names, issues = [entry.name for entry in of.entries], list[IssuedWave]()

    def counted() -> list[Result]:
        return [each for each in matches if each[0].deal < next_deal(issues)]

    while issue := rounds.decide(issues, names, counted):
        issues.append(issue)
    return rounds.bracket(issues, names, counted, playing=False)


def place_in_swiss(number: int, *, throw: bool) -> float:
    luck = Random(number)
    field = field_of(12, 3, 0.8, luck)
    of = league_of(field, SwissSettings(5), luck.randbytes(32), 4)
    table = places(of, played(of, field, luck, throw=throw))
    return next(at for at, each in enumerate(table, 1) if each.entry == MAIN)


@pytest.mark.slow
def test_stooges_do_not_lift_a_place_in_a_swiss() -> None:
    found = [place_in_swiss(number, throw=False) - place_in_swiss(number, throw=True) for number in range(60)]
    assert fmean(found) <= 2.5 * stdev(found) / len(found) ** 0.5


@pytest.mark.slow
def test_stooges_do_not_lift_a_place_in_a_knockout() -> None:
    """Of 12 equal bots 4 are of one author. So the main bot should win one cup of twelve."""
    won = 0
    for number in range(240):
        luck = Random(f"cup {number}")
        field = field_of(12, 3, 0.0, luck)
        of = league_of(field, KnockoutSettings(), luck.randbytes(32), 1)
        won += bracket(of, played(of, field, luck)).champion == MAIN
    assert won <= 240 / 12 + 2.5 * (240 / 12) ** 0.5


@pytest.mark.parametrize("name", ["swiss", "open"])
def test_bots_of_one_author_do_not_meet_where_the_format_can_avoid_it(name: str) -> None:
    luck = Random(name)
    field = field_of(10, 3, 0.8, luck)
    said = league_of(field, FORMATS[name], bytes(32), 2)
    assert list(pairs_of(played(said, field, luck), field)) == []
    silent = league_of(field, FORMATS[name], bytes(32), 2, said=False)
    assert list(pairs_of(played(silent, field, luck), field))


def test_in_a_swiss_that_cannot_avoid_it_both_have_a_bye() -> None:
    luck = Random(1)
    field = field_of(4, 2, 0.8, luck)
    of = league_of(field, SwissSettings(3), bytes(32), 2)
    table = {each.entry: each for each in places(of, played(of, field, luck))}
    own = [table[name] for name in (MAIN, *field.stooges)]
    for number in range(3):
        rivals = [each.rounds[number] for each in own]
        assert sum(each is not None and each.bye for each in rivals) == 2
        assert sum(each is not None and bool(each.opponents) for each in rivals) == 1


def test_in_a_knockout_they_meet_as_late_as_they_can_and_their_matches_decide_nothing() -> None:
    luck = Random(2)
    field = field_of(8, 3, 0.0, luck)
    of = league_of(field, KnockoutSettings(("own2",)), bytes(32), 1)
    found = bracket(of, played(of, field, luck))
    own = {MAIN, *field.stooges}
    for each in found.rounds:
        left = {one.name for group in each.groups for one in group.contestants}
        inside = [group for group in each.groups if {one.name for one in group.contestants} <= own]
        assert len(inside) <= max(0, len(left & own) - len(left - own))
        for group in inside:
            assert group.why == "author"
            assert not any(score for one in group.contestants for score in one.scores)
            if any(one.name == "own2@1" for one in group.contestants):
                assert next(one.name for one in group.contestants if one.on) == "own2@1"
    assert found.champion is not None


def test_only_bots_in_the_same_row_change_places_to_part_those_of_one_author() -> None:
    authors = dict.fromkeys(("a", "b", "c"), "yan")
    assert parted([["a", "b"], ["x", "y"]], authors) == [["a", "y"], ["x", "b"]]
    assert parted([["a", "b"], ["c", "y"]], authors) == [["a", "b"], ["c", "y"]]  # it would be no better
    assert parted([["a", "b"], ["x", "y"]], {}) == [["a", "b"], ["x", "y"]]


def test_no_cost_to_those_who_have_no_author() -> None:
    field = field_of(6, 0, 0.8, Random(3))
    for settings in FORMATS.values():
        if isinstance(settings, GauntletSettings):
            continue
        of = league_of(field, settings, bytes(32), 2, said=False)
        one = replace(of, authors={MAIN: "yan"})
        first, second = (played(each, field, Random(4)) for each in (of, one))
        assert first == second
        assert counting(first, one.authors) == first


@pytest.mark.slow
def test_the_interval_of_the_last_of_ten_equal_versions_holds_and_that_of_the_luckiest_does_not(tell: Tell) -> None:
    """All bots are equal, so all ratings should be 25."""
    held = {"last": 0, "luckiest": 0}
    for number in range(100):
        luck = Random(f"versions {number}")
        field = field_of(16, 9, 0.0, luck)
        of = league_of(field, BalancedSettings(), luck.randbytes(32), 10)
        resampled = ranking(of, luck.randbytes(32), contests(of, played(of, field, luck, throw=False))).resampled
        versions = [MAIN, *sorted(field.stooges)]
        luckiest = max(versions, key=lambda name: resampled.ratings[name].mu)
        for which, name in (("last", versions[-1]), ("luckiest", luckiest)):
            low, high = resampled.interval(name) or (0.0, 0.0)
            held[which] += low <= 25 <= high
    tell("100 leagues with 10 equal versions of a bot, their intervals that hold", held)
    assert held["last"] >= 90
    assert held["luckiest"] < held["last"]
