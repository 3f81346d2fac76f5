"""Our games for OpenSpiel, with stand-ins for what they use of it; `make ci-peers` has the real one."""

import sys
from collections.abc import Iterator
from copy import deepcopy
from importlib import import_module
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

import referee
from referee.api.spaces import Space
from referee.core.game import AnyGame, Decide
from referee.core.outcome import rewards
from referee.wire.json_codec import json_entry
from tests.api import fake_pyspiel
from tests.api.space_tables import FEW, SpaceTable
from tests.games.kits import KITS
from tests.starter_game import load_rules


@pytest.fixture
def spiel(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The module `referee.pyspiel` over the stand-in."""
    monkeypatch.setitem(sys.modules, "pyspiel", fake_pyspiel.module())
    monkeypatch.delitem(sys.modules, "referee.pyspiel", raising=False)
    yield import_module("referee.pyspiel")
    sys.modules.pop("referee.pyspiel", None)


def root(spiel: Any, table: SpaceTable, deals: int = 1000) -> Any:
    """A match before anything is drawn."""
    return spiel.game(table.game, table.seats, table.given, deals).new_initial_state()


def walk(state: Any, rng: Random) -> Iterator[Any]:
    """The states of a random match."""
    while not state.is_terminal():
        yield state.clone()
        if state.current_player() < 0:
            state.apply_action(rng.choice(state.chance_outcomes())[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    yield state


def after(state: Any, action: int) -> Any:
    """The state after one action."""
    other = state.clone()
    other.apply_action(action)
    return other


@pytest.mark.parametrize("table", FEW, ids=str)
def test_a_walk_through_the_states_is_a_match_by_the_rules(spiel: Any, table: SpaceTable) -> None:
    for state in walk(root(spiel, table), Random(1)):
        assert table.rules.is_whole(state.node.state)
        if state.current_player() >= 0:
            assert state.legal_actions() != []
            assert sorted(state.legal_actions()) == state.legal_actions()
        if not state.is_terminal():
            assert set(state.returns()) == {0.0}
    assert state.returns() == list(rewards(state.node.awaiting.outcome))


def test_a_draw_with_few_results_has_all_of_them_and_another_one_the_same_ones_in_every_match(spiel: Any) -> None:
    state = root(spiel, FEW[0], deals=50)
    assert len(state.chance_outcomes()) == 50
    assert after(state, 7).node == after(root(spiel, FEW[0], deals=50), 7).node != after(state, 8).node
    first = after(state, 7)
    assert len(first.chance_outcomes()) == 2
    assert {after(first, deal).node.state.active for deal in range(2)} == {0, 1}


def test_nodes_are_values_that_copies_share(spiel: Any) -> None:
    node = root(spiel, FEW[0]).node
    assert deepcopy(node) is node


def test_who_does_not_choose_has_no_legal_actions_and_no_luck_is_drawn_then(spiel: Any) -> None:
    state = root(spiel, FEW[0])
    assert state._legal_actions(0) == []
    chooses = next(state for state in walk(state, Random(1)) if state.current_player() >= 0)
    assert chooses.chance_outcomes() == []


# What a seat is told


def test_what_a_seat_was_told_never_gets_less(spiel: Any) -> None:
    before = ["", ""]
    for state in walk(root(spiel, FEW[0]), Random(1)):
        assert all(now.startswith(then) for now, then in zip(state.node.histories, before, strict=True))
        before = list(state.node.histories)
    assert "I choose: play" in before[0]


def leaks(spiel: Any, table: SpaceTable, game: AnyGame | None = None) -> Iterator[str]:
    """What a seat could learn: by another world that it cannot tell from the true one."""
    kit, rng = KITS[table.game], Random(1)
    for _ in range(10):
        state = root(spiel, table)
        state.get_game().rules = game or table.rules
        for here in walk(state, rng):
            if isinstance(here.node.awaiting, Decide):
                for seat in range(table.seats):
                    there = here.clone()
                    there.node = replace(here.node, state=kit.redeal(here.node.state, seat, rng))
                    if here.information_state_string(seat) != there.information_state_string(seat):
                        yield "information"
                    if table.space.pack(here.view(seat)) != table.space.pack(there.view(seat)):
                        yield "vector"
                    if seat == here.current_player() and here.legal_actions() != there.legal_actions():
                        yield "ids"


@pytest.mark.slow
@pytest.mark.parametrize("table", [FEW[0], FEW[-1]], ids=str)
def test_no_seat_learns_what_it_cannot_know(spiel: Any, table: SpaceTable) -> None:
    assert list(leaks(spiel, table)) == []


class WithoutTheTopOfTheDeck:
    """Offers no play face up of the card that lies on top of the deck."""

    def __init__(self, game: Any) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def legal(self, state: Any, seat: int) -> tuple[Any, ...]:
        legal: tuple[Any, ...] = self._game.legal(state, seat)
        return tuple(it for it in legal if getattr(it, "face_up", None) not in state.deck[:1]) or legal


class ShowsTheFaceDownCard(WithoutTheTopOfTheDeck):
    def view(self, state: Any, seat: int) -> Any:
        return replace(self._game.view(state, seat), own_face_down=state.face_down)

    def legal(self, state: Any, seat: int) -> tuple[Any, ...]:
        legal: tuple[Any, ...] = self._game.legal(state, seat)
        return legal


@pytest.mark.parametrize(
    ("leaky", "leak"),
    [(WithoutTheTopOfTheDeck, "ids"), (ShowsTheFaceDownCard, "vector"), (ShowsTheFaceDownCard, "information")],
)
def test_a_planted_leak_is_found(spiel: Any, leaky: Any, leak: str) -> None:
    assert leak in leaks(spiel, FEW[0], leaky(FEW[0].rules))


def test_a_later_sealed_seat_is_told_nothing_of_an_earlier_choice(spiel: Any) -> None:
    table = next(table for table in FEW if table.game == "inside-job" and table.options.talk == "every_trick")
    state = next(state for state in walk(root(spiel, table), Random(1)) if len(state.node.seats) > 2)
    one, *_, other = [after(state, action) for action in state.legal_actions()]
    first, *later = state.node.seats
    assert one.information_state_string(first) != other.information_state_string(first)
    for seat in later:
        assert one.information_state_string(seat) == other.information_state_string(seat)
        assert one.view(seat) == other.view(seat)
    assert one.legal_actions() == other.legal_actions()


def test_two_histories_with_one_observation_have_different_information_states_and_no_tensor(spiel: Any) -> None:
    """An observation forgets; the string has perfect recall; a tensor of the past is refused, never an observation."""
    seen: dict[bytes, set[str]] = {}
    root_state = root(spiel, FEW[0])
    game = root_state.get_game()
    for number in range(300):
        for state in walk(root(spiel, FEW[0], deals=1), Random(number)):
            if state.current_player() >= 0:
                vector = game.space.pack(state.view(state.current_player()))
                seen.setdefault(vector, set()).add(state.information_state_string())
    assert max(map(len, seen.values())) > 1
    past = game.make_py_observer(SimpleNamespace(perfect_recall=True))
    assert past.tensor is None
    with pytest.raises(referee.WrongUse, match="a past has no tensor"):
        past.set_from(root_state, 0)
    assert past.string_from(state, 0) == state.information_state_string(0)


@pytest.mark.parametrize(
    ("rewards", "utility", "bounds"),
    [
        ("places", "zero sum", (-1, 1)),
        ("score", "general sum", (-10, 10)),
        ("normalized score", "general sum", (-1, 1)),
        (lambda outcome: outcome.places, "general sum", (-1e6, 1e6)),
    ],
)
def test_a_game_without_sides_is_zero_sum_by_places_and_not_by_scores(
    spiel: Any, monkeypatch: pytest.MonkeyPatch, rewards: Any, utility: str, bounds: tuple[float, float]
) -> None:
    starter = type(referee.game("agonia"))(json_entry(load_rules().StarterGame()))
    monkeypatch.setattr(spiel, "installed_game", lambda _name: starter)
    space = Space(starter.rules, starter.rules.options_type(), 2)
    monkeypatch.setattr(spiel, "space", lambda *_: space)
    game = spiel.game("starter-game", 2, rewards=rewards)
    assert (game.kind.utility, (game.facts.min_utility, game.facts.max_utility)) == (utility, bounds)
    *_, last = walk(game.new_initial_state(), Random(1))
    assert sum(last.returns()) == 0 or utility != "zero sum"
    if rewards == "score":
        assert tuple(last.returns()) == last.node.state.chips


# For OpenSpiel


def test_a_match_is_played_through_its_states(spiel: Any) -> None:
    game = spiel.game("agent-avenue")
    state, rng = game.new_initial_state(), Random(1)
    observer = game.make_py_observer()
    while not state.is_terminal():
        player = state.current_player()
        if player < 0:
            outcomes = state.chance_outcomes()
            assert sum(chance for _, chance in outcomes) == pytest.approx(1)
            state._apply_action(rng.choice(outcomes)[0])
            continue
        twin = state.clone()
        action = rng.choice(state._legal_actions(player))
        assert state._action_to_string(player, action) == game.space.action_words[action]
        observer.set_from(state, player)
        assert (observer.tensor == game.space.encode(state.view(player))).all()
        assert observer.string_from(state, player) in state.information_state_string()
        state._apply_action(action)
        assert twin.node is not state.node
    assert sorted(state.returns()) == [-1, 1]
    assert "seen by seat 0" in str(state)
    assert state._action_to_string(-1, 3) == "deal 3"


@pytest.mark.parametrize(
    ("name", "seats", "options", "utility"),
    [
        ("agent-avenue", 2, {}, "zero sum"),
        ("agent-avenue", 3, {"line_up": "2v1"}, "general sum"),
        ("inside-job", 4, {"roles": "wired,paranoid"}, "general sum"),
        ("agonia", 2, {}, "identical"),
    ],
)
def test_the_kind_of_utility_follows_from_the_sides(
    spiel: Any, name: str, seats: int, options: dict[str, str], utility: str
) -> None:
    game = spiel.game(name, seats, options)
    assert game.kind.utility == utility
    assert type(game).__name__ in vars(spiel)
    assert type(spiel.game(name, seats, options)) is type(game)


def test_a_resampled_state_keeps_nothing_that_others_were_told_or_chose(spiel: Any) -> None:
    first = spiel.game("inside-job", 4, {"talk": "every_trick"}).new_initial_state()
    state = next(state for state in walk(first, Random(1)) if len(state.node.chosen) == 2)
    other = state.resample_from_infostate(2, lambda: 0.5)
    assert other.information_state_string(2) == state.information_state_string(2)
    assert other.legal_actions() == state.legal_actions()
    assert other.node.histories[0] == other.node.histories[1] == ""
    for seat, different in ((2, {0, 1}), (0, {1})):
        others = [state.resample_from_infostate(seat, Random(number).random) for number in range(20)]
        assert {place for place in (0, 1) if len({each.node.chosen[place] for each in others}) > 1} == different


def test_without_a_deal_it_is_wrong_use(spiel: Any) -> None:
    with pytest.raises(referee.WrongUse, match="deals: 0 is not allowed"):
        spiel.game("agent-avenue", deals=0)
