"""How long a league must be to tell two bots apart."""

from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest
from msgspec.structs import replace

from benchmarks.simulation import TABLES, league_of
from referee.core import seeds
from referee.core.errors import WrongUse
from referee.core.outcome import Side
from tests.cli.command import BOTS, referee
from tests.tournaments.arena import write_league
from tests.tournaments.fakes import FakeExecutor, FakeMachine, auction_league
from tournaments.cli.maintenance import forecast_lines
from tournaments.league.format_settings import (
    BalancedSettings,
    GauntletSettings,
    KnockoutSettings,
    OpenSettings,
    Settings,
    SwissSettings,
)
from tournaments.league.model import Fixture, League, StoredMatch, TableSpec
from tournaments.maintenance import forecast as forecasting
from tournaments.maintenance import separation as separating
from tournaments.maintenance import simulated_league
from tournaments.maintenance.forecast import forecast
from tournaments.maintenance.separation import POWER, Separation, TooLarge, separation
from tournaments.maintenance.simulated_league import dealt_sides, simulated
from tournaments.rating.contest import contests
from tournaments.rating.ranking import ranking
from tournaments.rating.scale import MU
from tournaments.rating.sides import score

SEED = seeds.from_text("separation")


EVERY_GROUP = BalancedSettings()
URL = "sqlite:////nowhere/autumn.sqlite"


def league(table: str = "duel", bots: int = 2, settings: Settings = EVERY_GROUP, deals: int = 30) -> League:
    names = tuple(f"bot{number}@1" for number in range(bots))
    return replace(league_of(TABLES[table][0], names, deals, 0.01), format=settings)


@pytest.fixture
def one(monkeypatch: pytest.MonkeyPatch) -> None:
    """One league, twice, where the number itself is not tested."""
    monkeypatch.setattr(separating, "_LEAGUES", 1)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four leagues, each twice, are enough for what is tested here."""
    monkeypatch.setattr(separating, "_LEAGUES", 4)


@pytest.mark.usefixtures("few")
def test_two_bots_alone_need_as_many_deals_as_the_normal_distribution_says() -> None:
    found = separation(league(), 0.6)
    assert found.deals is not None
    # Twice 0.1 in the share, from matches of variance 0.24, for a power of 80 % at 95 %.
    assert found.matches == 2 * found.deals == pytest.approx((1.96 + 0.84) ** 2 * 0.24 / 0.1**2, rel=0.15)


@pytest.mark.usefixtures("one")
def test_the_same_league_gets_the_same_answer_whatever_its_seed_and_its_number_of_deals() -> None:
    assert separation(league(), 0.75) == separation(replace(league(deals=7), seed="ab" * 32), 0.75)


@pytest.mark.slow
def test_in_leagues_of_this_length_the_two_are_separated_as_often_as_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(separating, "_LEAGUES", 50)  # so that the length itself is hardly a matter of luck
    planned = league(bots=3)
    found = separation(planned, 0.65)
    assert found.deals is not None
    whole, gap = replace(planned, deals=found.deals), separating._gap(planned, 0.65, {})
    strengths = {"bot0@1": MU + gap / 2, "bot1@1": MU - gap / 2, "bot2@1": MU}
    separated = 0
    for number in range(60):
        seed = seeds.child(SEED, str(number))
        played = simulated(whole, strengths, {}, seed)
        found_here = ranking(whole, seed, contests(whole, played.matches)).resampled.difference("bot0@1", "bot1@1")
        separated += found_here is not None and found_here[0] > 0
    assert separated / 60 == pytest.approx(POWER, abs=2.5 * (POWER * (1 - POWER) / 60) ** 0.5)


def share_of(planned: League, share: float, count: Callable[[Fixture, StoredMatch], float | None]) -> float:
    """The mean of what is counted in simulated matches of a league whose first two bots differ as asked."""
    gap = separating._gap(planned, share, {})
    strengths = {entry.name: MU for entry in planned.entries} | {"bot0@1": MU + gap / 2, "bot1@1": MU - gap / 2}
    counted = [count(*match) for match in simulated(planned, strengths, {}, SEED).matches]
    there = [value for value in counted if value is not None]
    return sum(there) / len(there)


def beaten(fixture: Fixture, played: StoredMatch) -> float | None:
    """Whether the first bot came before the second; a tie is half."""
    places = dict(zip(fixture.entries, played.outcome.places, strict=True))
    first, second = places["bot0@1"], places["bot1@1"]
    return 0.5 if first == second else float(first < second)


@pytest.mark.parametrize(("table", "bots"), [("duel", 2), ("2v2, teams", 2), ("free-for-all", 4)])
def test_the_better_bot_beats_the_other_in_as_many_matches_as_asked_at_every_table(table: str, bots: int) -> None:
    assert share_of(league(table, bots, deals=800), 0.7, beaten) == pytest.approx(0.7, abs=0.04)


def test_against_the_game_the_better_bot_wins_as_often_as_asked() -> None:
    def won(fixture: Fixture, played: StoredMatch) -> float | None:
        return score(played.outcome, fixture.entries, "bot0@1") if "bot0@1" in fixture.entries else None

    assert share_of(league("cooperation, teams", 2, deals=800), 0.7, won) == pytest.approx(0.7, abs=0.04)


@pytest.mark.usefixtures("few")
def test_bots_that_never_meet_are_never_told_apart() -> None:
    assert separation(league(bots=6, settings=BalancedSettings(2), deals=1), 0.9) == Separation(0.9, POWER)


def test_a_league_that_would_take_minutes_to_simulate_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(separating, "_TOO_LARGE", 23)
    with pytest.raises(TooLarge, match=r"simulated has 24 matches on 12 deals, .* leave out --separate"):
        separation(league(), 0.9)


@pytest.mark.usefixtures("one")
def test_a_balanced_league_keeps_its_groups_and_plays_more_deals() -> None:
    found = separation(league(bots=4, settings=BalancedSettings(160), deals=40), 0.75)
    assert found.deals is not None
    assert found.format_matches == 4 * found.deals  # 160 matches on 40 deals
    assert found.matches == 4 * 2 * found.deals


@pytest.mark.slow
@pytest.mark.usefixtures("one")
@pytest.mark.parametrize(
    "settings", [GauntletSettings(("bot0",)), SwissSettings(), KnockoutSettings(), OpenSettings()], ids=repr
)
def test_every_format_is_simulated_from_its_first_wave_to_its_last(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(separating, "_MOST_MATCHES", 600)
    found = separation(league(bots=6, settings=settings, deals=8), 0.9)
    assert found.deals is None or (found.matches or 0) >= found.deals


def test_the_sides_that_luck_deals_are_those_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulated_league, "_RANDOM_MATCHES", 2)
    table = TableSpec("three", 3, {}, "copies", deals_sides=True)
    planned = replace(league_of(table, ("ann@1", "bob@1"), 4, 0.1), game="inside-job")
    dealt = dealt_sides(planned, SEED)
    assert dealt == dealt_sides(planned, SEED)
    for sides in dealt["three"]:
        assert sorted(seat for side in sides for seat in side.seats) == [0, 1, 2]
    for _, played in simulated(planned, {"ann@1": MU, "bob@1": MU}, dealt, SEED).matches:
        assert played.outcome.sides in dealt["three"]
        assert 1 in played.outcome.places


def test_of_dealt_sides_the_first_two_oppose_each_other_and_a_third_wins_for_itself() -> None:
    table = TableSpec("four", 4, {}, "copies", deals_sides=True)
    planned = league_of(table, ("ann@1", "bob@1"), 10, 0.1)
    sides = (Side("many", (0, 3)), Side("one", (1,)), Side("neutral", (2,)))
    played = simulated(planned, {"ann@1": MU, "bob@1": MU}, {"four": (sides,)}, SEED).matches
    places = {match.outcome.places for _, match in played}
    assert places == {(1, 3, 3, 1), (1, 4, 1, 1), (2, 1, 2, 2), (3, 1, 1, 3)}


@pytest.mark.usefixtures("one")
def test_check_says_the_length_and_the_time_and_how_sure_it_is() -> None:
    found = forecast(auction_league(("ann", "bob"), deals=9), URL, FakeMachine(FakeExecutor()), 1, 0.75)
    needed = found.separation
    assert needed is not None
    assert found.separation_hours is not None
    line = list(forecast_lines(found))[-1]
    assert line.startswith("to separate two bots of which one beats the other in 75 % of their matches in 80 of")
    assert f"deals = {needed.deals}, which makes {needed.matches} matches, " in line


@pytest.mark.usefixtures("few")
def test_check_says_if_no_number_of_deals_is_enough() -> None:
    apart = replace(auction_league(tuple("abcdef"), deals=1), format=BalancedSettings(2))
    found = forecast(apart, URL, FakeMachine(FakeExecutor()), 1, 0.9)
    assert list(forecast_lines(found))[-1].startswith("no number of deals separates two bots")


@pytest.mark.parametrize("share", ["50%", "0.55", "100%", "many"])
def test_a_share_that_makes_no_sense_is_refused_with_one_sentence(share: str, tmp_path: Path) -> None:
    file = write_league(tmp_path / "autumn.toml", [BOTS / "random", BOTS / "greedy"], deals=1)
    ended = referee("league", "check", file, "--separate", share)
    assert (ended.code, ended.out, len(ended.err.splitlines())) == (2, "", 1)
    assert "from 51% to 99%, for instance 55%" in ended.err


def test_a_share_is_given_in_percent(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def asked(*words: object) -> NoReturn:
        raise WrongUse(f"share {words[-1]}")

    monkeypatch.setattr(forecasting, "forecast", asked)
    file = write_league(tmp_path / "autumn.toml", [BOTS / "random", BOTS / "greedy"], deals=1)
    assert referee("league", "check", file, "--separate", "55.5%").err == "share 0.555\n"
    assert referee("league", "check", file).err == "share None\n"
