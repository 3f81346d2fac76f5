"""Searches for better values, played in this process: their course, what versions get, and going on after a kill."""

import contextlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.files.manifest import BotParameter
from referee.match.terms import USUAL, Clock, EntryTerms
from tests.tournaments.fakes import GAME, Bot, FakeExecutor, FakeMachine, Stopped, bids_high, nothing_changes
from tournaments.comparison.compare import Conditions, compared, league_of, table_of
from tournaments.comparison.tuning import STEPS_A_ROUND, Tuning, with_terms
from tournaments.league.model import Entry
from tournaments.play.workers.worker_messages import Executor, Work

PARAMETERS = {
    "depth": BotParameter(0, 10, 2, step=1, argument="--depth={value}"),
    "caution": BotParameter(-1.0, 1.0, 0.0, environment="CAUTION"),
}
DEALS = 96


def deep(terms: EntryTerms) -> float:
    return float(terms.arguments[-1].removeprefix("--depth="))


def other(name: str) -> str:
    """The other version of a step."""
    way, rest = name.split("-", 1)
    return f"{'down' if way == 'up' else 'up'}-{rest}"


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
    return Tuning(compared(league, nothing_changes(league)), PARAMETERS, USUAL, DEALS, gain)


def course(folder: Path, machine: FakeMachine, search: Tuning) -> list[tuple[float, ...]]:
    assert list(search.rounds(f"sqlite:///{folder / 'store.sqlite'}", machine))[-1] == DEALS
    return search.course


def test_it_goes_where_the_bot_wins_and_leaves_alone_what_does_not_matter(tmp_path: Path) -> None:
    found = course(tmp_path, TermsMachine(), tuning())
    assert len(found) == 1 + DEALS // STEPS_A_ROUND
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
    assert len({terms.environment["CAUTION"] for terms in machine.terms}) > DEALS


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


def test_another_seed_gain_or_parameter_makes_another_search_and_the_end_has_other_deals() -> None:
    search = tuning()
    assert len({tuning(seed="8").name, tuning(gain=1.0).name, tuning(1).name, search.name, tuning().name}) == 4
    entries = tuple(Entry(f"{role}-bot@1", "/bot", bot="bot@1") for role in ("new", "old"))
    conditions = Conditions(GAME, table_of(GAME, GAME.options_type(), 2), Clock())
    league = league_of(conditions, "none", entries, "7", 100)
    new, old = search.terms((0.7, 0.5)), search.terms(search.course[0])
    again = with_terms(compared(league, nothing_changes(league)), (new, old), "ab" * 32)
    assert [entry.terms.arguments for entry in again.entries] == [("--depth=7",), ("--depth=2",)]
    assert again.seed != league.seed
    assert replace(again, seed=league.seed, entries=entries, name=league.name) == league
