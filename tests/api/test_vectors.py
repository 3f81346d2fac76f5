"""Many matches in step."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import referee
from referee.core.outcome import rewards
from tests.api.space_tables import FEW, SpaceTable


def choose(matches: referee.VectorMatches, rng: np.random.Generator) -> Any:
    counts = np.diff(matches.offsets)
    return matches.legal[matches.offsets[:-1] + rng.integers(counts)]


@pytest.mark.parametrize("table", FEW[::2], ids=str)
def test_its_matches_are_those_that_start_gives(table: SpaceTable) -> None:
    """Observations, questions, ids and rewards are the same at every step, also after a restart."""
    places = 3
    matches = referee.vector(table.game, places, seats=table.seats, seed="s", options=table.given)
    rng = np.random.default_rng(1)

    def begin(place: int) -> tuple[referee.LocalMatch, Any]:
        match = referee.start(table.game, table.seats, seed=matches.seeds[place], options=table.given)
        return match, iter(match)

    running = [begin(place) for place in range(places)]
    ended = 0
    for _ in range(2000):
        chosen = choose(matches, rng)
        for place, (match, asked) in enumerate(running):
            decision = next(asked)
            ids = matches.legal[matches.offsets[place] : matches.offsets[place + 1]].tolist()
            assert matches.asked[place] == decision.seat
            assert (matches.views[place], matches.actions[place]) == (decision.view, decision.legal)
            assert ids == matches.space.ids(decision).tolist()
            assert (matches.observations[place] == matches.space.encode(decision.view)).all()
            match.choose(ids.index(chosen[place]))
        seeds = matches.seeds
        finished = matches.step(chosen)
        for row, place in enumerate(finished.places):
            match, asked = running[place]
            assert next(asked, None) is None
            assert finished.seeds[row] == seeds[place] != matches.seeds[place]
            assert finished.outcomes[row] == match.outcome
            assert finished.rewards[row].tolist() == pytest.approx(rewards(match.outcome))
            running[place] = begin(place)
            ended += 1
        if ended > 3:
            break
    assert ended > 3


@pytest.mark.parametrize(
    "another",
    [copy.copy, copy.deepcopy, lambda them: pickle.loads(pickle.dumps(them))],  # noqa: S301 - it is our own
    ids=["copy", "deep", "pickle"],
)
@pytest.mark.parametrize("table", [FEW[0], FEW[-1]], ids=str)
def test_a_copy_goes_on_as_the_matches_do_and_by_itself(table: SpaceTable, another: Any) -> None:
    matches = referee.vector(table.game, 3, seats=table.seats, seed="s", options=table.given)
    rng = np.random.default_rng(1)
    for _ in range(30):
        matches.step(choose(matches, rng))
    twin, same = another(matches), another(matches)
    before = matches.observations.copy()
    for _ in range(20):
        twin.step(choose(twin, rng))
    assert (matches.observations == before).all()
    for _ in range(60):
        ids = choose(matches, rng)
        one, other = matches.step(ids), same.step(ids)
        assert (one.seeds, one.outcomes) == (other.seeds, other.outcomes)
        assert (matches.observations == same.observations).all()
        assert (matches.legal == same.legal).all()


def test_one_match_steps_by_its_number_and_the_others_wait() -> None:
    matches, together = (referee.vector("agent-avenue", 3, seed=7) for _ in range(2))
    before = matches.observations.copy()
    for place in (2, 0):
        ids = matches.legal[matches.offsets[place] : matches.offsets[place + 1]]
        matches.step([ids[0]], [place])
    assert (matches.observations[1] == before[1]).all()
    assert (matches.observations[[0, 2]] != before[[0, 2]]).any(axis=1).all()
    matches.step([matches.legal[matches.offsets[1]]], [1])
    together.step(together.legal[together.offsets[:-1]])
    assert (matches.observations == together.observations).all()
    for wrong in ([3], [-1], [0, 0]):
        with pytest.raises(referee.WrongUse, match="are not numbers from 0 to 2 that all differ"):
            matches.step([0] * len(wrong), wrong)
    assert (matches.observations == together.observations).all()


def test_seeds_name_the_place_and_the_number_of_the_match() -> None:
    seeds: tuple[Any, ...] = (7, "7", np.int64(7))
    assert {referee.vector("agent-avenue", 2, seed=seed).seeds for seed in seeds} == {("7-0-0", "7-1-0")}
    assert len(referee.vector("agent-avenue", 1).seeds[0]) > 10


def test_the_mask_is_true_at_the_legal_ids_of_each_match() -> None:
    matches = referee.vector("inside-job", 5, seats=4, seed=7)
    mask = matches.mask()
    assert mask.shape == (5, matches.space.actions)
    for place in range(5):
        ids = matches.legal[matches.offsets[place] : matches.offsets[place + 1]]
        assert np.flatnonzero(mask[place]).tolist() == sorted(ids.tolist())


def test_choices_that_are_wrong_change_nothing() -> None:
    matches = referee.vector("agent-avenue", 2, seed=7)
    before = matches.observations.copy()
    with pytest.raises(referee.WrongUse, match="there are 3 choices for 2 matches; give one id for each"):
        matches.step([0, 0, 0])
    illegal = next(number for number in range(matches.space.actions) if not matches.mask()[1, number])
    with pytest.raises(referee.WrongUse, match=f"match 1: the id {illegal} is not legal"):
        matches.step([int(matches.legal[0]), illegal])
    assert (matches.observations == before).all()
    with pytest.raises(referee.WrongUse, match="matches: 0 is not allowed"):
        referee.vector("agent-avenue", 0)
    with pytest.raises(referee.WrongUse, match=r"^seed: 1\.5 is not allowed"):
        referee.vector("agent-avenue", 2, seed=1.5)  # type: ignore[arg-type] # that is the test


def test_a_later_sealed_seat_observes_nothing_of_an_earlier_choice() -> None:
    """All seats talk at once."""
    options = {"talk": "every_trick"}
    worlds = [referee.vector("inside-job", 1, seats=4, seed=7, options=options) for _ in range(2)]
    for matches in worlds:
        while "suspect nobody" not in [matches.space.action_words[at] for at in matches.legal]:
            matches.step(matches.legal[:1])
    one, other = worlds
    one.step(one.legal[:1])
    other.step(other.legal[-1:])
    assert one.asked.tolist() == other.asked.tolist() == [1]
    assert (one.observations == other.observations).all()
    assert one.legal.tolist() == other.legal.tolist()
