"""Games as trees, and our games for OpenSpiel with stand-ins for what they use; `make ci-peers` has the real one."""

import sys
from collections.abc import Iterator
from copy import deepcopy
from importlib import import_module
from random import Random
from typing import Any

import pytest

import referee
from referee.api.game_trees import GameTree, TreeNode
from referee.core.game import AnyGame, Decide
from referee.core.outcome import rewards
from tests.api import fake_pyspiel
from tests.api.space_tables import FEW, SpaceTable
from tests.games.kits import KITS


def tree_of(table: SpaceTable, deals: int = 1000) -> GameTree:
    return GameTree(referee.game(table.game), table.options, table.seats, table.space, deals)


def walk(tree: GameTree, rng: Random) -> Iterator[TreeNode]:
    """The nodes of a random match."""
    node = tree.root()
    while not node.is_over:
        yield node
        node = step(tree, node, rng)
    yield node


def step(tree: GameTree, node: TreeNode, rng: Random) -> TreeNode:
    if node.seat is None:
        return tree.after_deal(node, rng.randrange(tree.count_deals(node)))
    return tree.after_choice(node, rng.choice(list(tree.legal(node).values())))


@pytest.mark.parametrize("table", FEW, ids=str)
def test_a_walk_through_the_tree_is_a_match_by_the_rules(table: SpaceTable) -> None:
    tree = tree_of(table)
    for node in walk(tree, Random(1)):
        assert table.rules.is_whole(node.state)
        if node.seat is not None:
            assert list(tree.legal(node).values()) != []
            assert sorted(tree.legal(node)) == list(tree.legal(node))
        if not node.is_over:
            assert set(tree.rewards(node)) == {0.0}
    awaited: Any = node.awaiting
    assert tree.rewards(node) == rewards(awaited.outcome)


def test_a_draw_with_few_results_has_all_of_them_and_another_one_the_same_ones_in_every_match() -> None:
    tree = tree_of(FEW[0], deals=50)
    node = tree.root()
    assert tree.count_deals(node) == 50
    assert tree.after_deal(node, 7) == tree.after_deal(tree.root(), 7) != tree.after_deal(node, 8)
    first = tree.after_deal(node, 7)
    assert tree.count_deals(first) == 2
    assert {tree.after_deal(first, deal).state.active for deal in range(2)} == {0, 1}


def test_nodes_are_values_that_copies_share() -> None:
    node = tree_of(FEW[0]).root()
    assert deepcopy(node) is node


def test_who_does_not_choose_has_no_legal_actions_and_no_luck_is_drawn_then() -> None:
    tree = tree_of(FEW[0])
    with pytest.raises(ValueError, match="nobody chooses while Shuffle"):
        tree.legal(tree.root())
    with pytest.raises(ValueError, match="no luck is drawn while Decide"):
        tree.after_deal(next(node for node in walk(tree, Random(1)) if node.seat is not None), 0)


# What a seat is told


def test_what_a_seat_was_told_never_gets_less() -> None:
    tree, before = tree_of(FEW[0]), ["", ""]
    for node in walk(tree, Random(1)):
        assert all(now.startswith(then) for now, then in zip(node.told, before, strict=True))
        before = list(node.told)
    assert "I choose: play" in before[0]


def leaks(table: SpaceTable, game: AnyGame | None = None) -> Iterator[str]:
    """What a seat could learn from the tree: by another world that it cannot tell from the true one."""
    tree, kit, rng = tree_of(table), KITS[table.game], Random(1)
    if game is not None:
        tree._rules = game
    for _ in range(10):
        for node in walk(tree, rng):
            if isinstance(node.awaiting, Decide):
                for seat in range(table.seats):
                    state = kit.redeal(node.state, seat, rng)
                    world = TreeNode(state, node.awaiting, node.told, node.chosen)
                    if tree.information(node, seat) != tree.information(world, seat):
                        yield "information"
                    if table.space.pack(tree.view(node, seat)) != table.space.pack(tree.view(world, seat)):
                        yield "vector"
                    if seat == node.seat and list(tree.legal(node)) != list(tree.legal(world)):
                        yield "ids"


@pytest.mark.slow
@pytest.mark.parametrize("table", [FEW[0], FEW[-1]], ids=str)
def test_no_seat_learns_what_it_cannot_know(table: SpaceTable) -> None:
    assert list(leaks(table)) == []


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
        from msgspec.structs import replace  # noqa: PLC0415

        return replace(self._game.view(state, seat), own_face_down=state.face_down)

    def legal(self, state: Any, seat: int) -> tuple[Any, ...]:
        legal: tuple[Any, ...] = self._game.legal(state, seat)
        return legal


@pytest.mark.parametrize(
    ("leaky", "leak"),
    [(WithoutTheTopOfTheDeck, "ids"), (ShowsTheFaceDownCard, "vector"), (ShowsTheFaceDownCard, "information")],
)
def test_a_planted_leak_is_found(leaky: Any, leak: str) -> None:
    assert leak in leaks(FEW[0], leaky(FEW[0].rules))


def test_a_later_sealed_seat_is_told_nothing_of_an_earlier_choice() -> None:
    table = next(table for table in FEW if table.game == "inside-job" and table.options.talk == "every_trick")
    tree = tree_of(table)
    node = next(
        node for node in walk(tree, Random(1)) if isinstance(node.awaiting, Decide) and len(node.awaiting.seats) > 2
    )
    one, *_, other = [tree.after_choice(node, action) for action in tree.legal(node).values()]
    first, *later = node.awaiting.seats if isinstance(node.awaiting, Decide) else ()
    assert tree.information(one, first) != tree.information(other, first)
    for seat in later:
        assert tree.information(one, seat) == tree.information(other, seat)
        assert tree.view(one, seat) == tree.view(other, seat)
    assert list(tree.legal(one)) == list(tree.legal(other))


# For OpenSpiel


@pytest.fixture
def spiel(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The module `referee.pyspiel` over the stand-in."""
    monkeypatch.setitem(sys.modules, "pyspiel", fake_pyspiel.module())
    monkeypatch.delitem(sys.modules, "referee.pyspiel", raising=False)
    yield import_module("referee.pyspiel")
    sys.modules.pop("referee.pyspiel", None)


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
        assert state._action_to_string(player, action) == game.tree.space.action_words[action]
        observer.set_from(state, player)
        assert (observer.tensor == game.tree.space.encode(game.tree.view(state.node, player))).all()
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
    state = spiel.game("inside-job", 4, {"talk": "every_trick"}).new_initial_state()
    tree, rng = state.get_game().tree, Random(1)
    nodes = walk(tree, rng)
    state.node = next(node for node in nodes if len(node.chosen) == 2)
    other = state.resample_from_infostate(2, lambda: 0.5).node
    assert tree.information(other, 2) == tree.information(state.node, 2)
    assert list(tree.legal(other)) == list(tree.legal(state.node))
    assert other.told[0] == other.told[1] == ""
    for seat, different in ((2, {0, 1}), (0, {1})):
        chosen = [tree.resample(state.node, seat, Random(number)).chosen for number in range(20)]
        assert {place for place in (0, 1) if len({each[place] for each in chosen}) > 1} == different


def test_without_a_deal_it_is_wrong_use(spiel: Any) -> None:
    with pytest.raises(referee.WrongUse, match="deals: 0 is not allowed"):
        spiel.game("agent-avenue", deals=0)
