"""Searches for better values, played in this process: what they find, what versions get, and going on after a kill."""

import contextlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from referee.files.manifest import BotParameter
from referee.match.terms import USUAL, Clock, EntryTerms
from tests.tournaments.fakes import GAME, Bot, FakeExecutor, FakeMachine, Stopped, bids_high, nothing_changes
from tournaments.comparison.compare import Comparison, Conditions, compared, league_of, table_of
from tournaments.comparison.tuning import DEALS_A_STEP, Tuning
from tournaments.league.model import Entry
from tournaments.play.workers.worker_messages import Executor, Work

PARAMETERS = {
    "depth": BotParameter("int", (0, 10), 2, argument="--depth={value}"),
    "caution": BotParameter("float", (-1, 1), 0, environment="CAUTION"),
}
DEALS = 96


def deep(terms: EntryTerms) -> float:
    return float(terms.arguments[-1].removeprefix("--depth="))


def other(name: str) -> str:
    """The other version of a step."""
    role, rest = name.split("-", 1)
    return f"{'old' if role == 'new' else 'new'}-{rest}"


class TermsMachine(FakeMachine):
    """Plays with bots that are better the deeper they look. It can stop after some matches, and notes all terms."""

    def __init__(self, stops_after: int | None = None) -> None:
        super().__init__(FakeExecutor())
        self.left = stops_after
        self.terms: list[EntryTerms] = []
        self.matches = 0

    @contextmanager
    def executor(self, _work: Work, _run_dir: Path) -> Iterator[Executor]:
        self.terms += [entry.terms for entry in _work.entries.values()]
        depths = {name: deep(entry.terms) for name, entry in _work.entries.items() if entry.terms != USUAL}
        bots: dict[str, Bot] = {name: bids_high for name, depth in depths.items() if depth > depths[other(name)]}
        executor = FakeExecutor(bots, stops_after=self.left)
        yield executor
        played = executor.started.total()
        self.matches += played
        self.left = None if self.left is None else self.left - played


def tuning(others: int = 0, seed: str = "7", gain: float = 2.0) -> Tuning:
    entries = tuple(Entry(f"{role}-bot@1", "/bot", bot="bot@1") for role in ("new", "old"))
    entries += tuple(Entry(f"against-{number}@1", "/other") for number in range(others))
    conditions = Conditions(GAME, table_of(GAME, GAME.options_type(), 2), Clock())
    league = league_of(conditions, "none", entries, seed, 100)
    return Tuning(compared(league, nothing_changes(league)), PARAMETERS, DEALS, gain)


def course(folder: Path, machine: FakeMachine, search: Tuning) -> list[tuple[float, ...]]:
    assert list(search.play(f"sqlite:///{folder / 'store.sqlite'}", machine))[-1] == DEALS
    return search.course


def test_it_goes_where_the_bot_wins_and_leaves_alone_what_does_not_matter(tmp_path: Path) -> None:
    found = course(tmp_path, TermsMachine(), tuning())
    assert len(found) == 1 + DEALS // DEALS_A_STEP
    assert found[0] == (0.2, 0.5)
    assert found[-1][0] - found[0][0] > 2 * abs(found[-1][1] - found[0][1])


@pytest.mark.slow
@pytest.mark.parametrize("others", [0, 1])
def test_both_versions_of_a_step_play_the_same_number_of_matches(tmp_path: Path, others: int) -> None:
    machine = TermsMachine()
    course(tmp_path, machine, tuning(others))
    assert machine.matches == DEALS * (2 if others == 0 else 4)


@pytest.mark.slow
def test_values_stay_in_their_ranges_and_on_their_steps_and_come_by_argument_and_variable(tmp_path: Path) -> None:
    machine = TermsMachine()
    course(tmp_path, machine, tuning())
    for terms in machine.terms:
        depth, caution = deep(terms), float(terms.environment["CAUTION"])
        assert depth in range(11)
        assert -1 <= caution <= 1
        assert terms.arguments == (f"--depth={depth:.0f}",)
    assert len({terms.environment["CAUTION"] for terms in machine.terms}) > DEALS // DEALS_A_STEP


@pytest.mark.slow
def test_killed_again_and_again_it_takes_the_same_course_and_plays_no_stored_match_again(tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
    whole = course(tmp_path / "whole", TermsMachine(), tuning())
    found = None
    for stops_after in (5, 21, 1, 60, None):
        machine = TermsMachine(stops_after)
        with contextlib.suppress(Stopped):
            found = course(tmp_path, machine, tuning())
    assert found == whole
    again = TermsMachine(0)
    assert course(tmp_path, again, tuning()) == whole
    assert again.matches == 0


def test_another_seed_gain_or_parameter_makes_another_search_and_each_comparison_has_its_own_deals() -> None:
    search = tuning()
    assert len({tuning(seed="8").name, tuning(gain=1.0).name, tuning(1).name, search.name, tuning().name}) == 4
    end = search.compared((0.7, 0.5), search.course[0], "end", 300)
    assert [entry.terms.arguments for entry in end.league.entries] == [("--depth=7",), ("--depth=2",)]
    assert (end.league.deals, end.alike) == (300, False)
    others = [search.compared((0.7, 0.5), search.course[0], label, 300).league for label in ("end", "deal 0", "deal 8")]
    assert len({league.seed for league in others}) == len({league.name for league in others}) == 3
    assert others[0] == end.league


BEST = np.array([0.62, 0.35, 0.55])
SHAPE = np.array([[300.0, 80, 0], [80, 200, -40], [0, -40, 60]])
START = (0.1, 0.9, 0.1)
SYNTHETIC = {
    name: BotParameter("float", (0, 1), value, environment=name) for name, value in zip("ABC", START, strict=True)
}


def loss(values: Iterable[float]) -> float:
    """How many Elo a bot with these values is below the best one. Two of the three parameters are entangled."""
    apart = np.array([*values]) - BEST
    return float(apart @ SHAPE @ apart)


def strength(terms: EntryTerms) -> float:
    return -loss(float(terms.environment[name]) for name in SYNTHETIC)


def found(monkeypatch: pytest.MonkeyPatch, seed: int, deals: int, gain: float = 2.0) -> float:
    """How many Elo a search ends below the best values, if the bots win as often as their strength says."""
    luck = np.random.default_rng([seed, deals])

    def lead(_self: Tuning, comparison: Comparison, *_: object) -> float:
        one, other = (strength(entry.terms) for entry in comparison.league.entries)
        share = 1 / (1 + 10 ** ((other - one) / 400))
        return float(luck.binomial(2 * comparison.league.deals, share) - comparison.league.deals)  # two matches a deal

    monkeypatch.setattr(Tuning, "_lead", lead)
    entries = tuple(Entry(f"{role}-bot@1", "/bot", bot="bot@1") for role in ("new", "old"))
    conditions = Conditions(GAME, table_of(GAME, GAME.options_type(), 2), Clock())
    league = league_of(conditions, "none", entries, str(seed), 100)
    search = Tuning(compared(league, nothing_changes(league)), SYNTHETIC, deals, gain)
    assert len([*search.play("", FakeMachine(FakeExecutor()))]) == deals // DEALS_A_STEP
    assert all(0 <= value <= 1 for place in search.course for value in place)
    return loss(search.course[-1])


@pytest.mark.parametrize("deals", [500, pytest.param(2000, marks=pytest.mark.slow)])
def test_it_finds_four_fifths_of_the_possible_gain_in_nine_of_ten_searches(
    monkeypatch: pytest.MonkeyPatch, deals: int
) -> None:
    assert sum(found(monkeypatch, seed, deals) <= 0.2 * loss(START) for seed in range(10)) >= 9


def test_a_gain_that_is_far_too_small_finds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(monkeypatch, 1, 500, gain=0.02) > 0.9 * loss(START)
