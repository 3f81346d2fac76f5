"""Our games as games of OpenSpiel.

    import referee.pyspiel

    game = referee.pyspiel.game("agent-avenue", seats=2, options={"mode": "advanced"})

It needs the extra `openspiel`. `referee.space` says what observation tensors and actions mean.
"""

import re
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import numpy as np

from referee.api.game_trees import GameTree, TreeNode
from referee.api.games import InstalledGame
from referee.api.games import game as installed_game
from referee.api.spaces import Floats, space
from referee.core.errors import WrongUse
from referee.core.outcome import Seat

try:
    import pyspiel
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        "referee.pyspiel needs OpenSpiel, which is not installed; run: pip install 'referee[openspiel]'",
        name=missing.name,
    ) from None

_DEALS = 1000
_LONGEST = 10_000
"""More choices than any match has. OpenSpiel asks for such a number."""
_HIGHEST_SCORE = 1e6


class MatchState(pyspiel.State):
    """A match at one draw or choice.

    Sealed choices come one after another, and nobody observes them before all are made.

    Attributes:
        node: the place in the tree of the game. Copies share it, as it never changes.
    """

    def __init__(self, game: "MatchGame") -> None:
        super().__init__(game)
        self.node: TreeNode = game.tree.root()

    @property
    def _tree(self) -> GameTree:
        tree: GameTree = self.get_game().tree
        return tree

    def current_player(self) -> int:
        """The seat, or the player that stands for luck or for the end."""
        if self.node.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.node.seat is None else self.node.seat

    def _legal_actions(self, _player: int) -> list[int]:
        return list(self._tree.legal(self.node))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The deals, all equally likely."""
        count = self._tree.count_deals(self.node)
        return [(deal, 1 / count) for deal in range(count)]

    def _apply_action(self, action: int) -> None:
        tree, node = self._tree, self.node
        if node.seat is None:
            self.node = tree.after_deal(node, action)
        else:
            self.node = tree.after_choice(node, tree.legal(node)[action])

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        return self._tree.space.action_words[action]

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return self.node.is_over

    def returns(self) -> list[float]:
        """The rewards by seat."""
        return list(self._tree.rewards(self.node))

    def information_state_string(self, player: Seat | None = None) -> str:
        """All that the player was told and chose so far, and what it sees."""
        return self._tree.information(self.node, self.current_player() if player is None else player)

    def observation_string(self, player: Seat | None = None) -> str:
        """What the player sees, in words."""
        return self._tree.observation(self.node, self.current_player() if player is None else player)

    def resample_from_infostate(self, player: Seat, sampler: Callable[[], float]) -> "MatchState":
        """Another state that the player cannot tell from this one."""
        state: MatchState = self.clone()
        state.node = self._tree.resample(self.node, player, Random(sampler()))  # noqa: S311 - it searches
        return state

    def __str__(self) -> str:
        return self._tree.describe(self.node)


class MatchObserver:
    """Puts what a player sees into a tensor."""

    def __init__(self, tree: GameTree, remembers: bool) -> None:
        self._tree, self._remembers = tree, remembers
        self.tensor: Floats = np.zeros(tree.space.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: MatchState, player: Seat) -> None:
        """Look as the player."""
        self.tensor[:] = self._tree.space.encode(self._tree.view(state.node, player))

    def string_from(self, state: MatchState, player: Seat) -> str:
        """What the player sees, in words; if it remembers, also all that it was told and chose."""
        if self._remembers:
            return state.information_state_string(player)
        return state.observation_string(player)


class MatchGame(pyspiel.Game):
    """A game with its options and number of seats; each has a class derived from this one.

    Attributes:
        tree: its tree.
        kind: its `pyspiel.GameType`.
        facts: its `pyspiel.GameInfo`.
    """

    tree: GameTree
    kind: Any
    facts: Any

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        super().__init__(self.kind, self.facts, params or {})

    def new_initial_state(self) -> MatchState:
        """A match before anything is drawn."""
        return MatchState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> MatchObserver:  # noqa: ARG002
        """The tensor is that of the player's view, whatever is asked for."""
        return MatchObserver(self.tree, remembers=iig_obs_type is not None and iig_obs_type.perfect_recall)


def game(name: str, seats: int = 2, options: Mapping[str, Any] | None = None, deals: int = _DEALS) -> Any:
    """A game for OpenSpiel, which is also registered there, for states that are read again.

    Luck is explicit: each draw has at most `deals` results, all equally likely. A draw with more results is drawn from
    so many of them, fixed by its label.

    Args:
        name: the name of the game.
        seats: how many players.
        options: the game's options.
        deals: how many.

    Raises:
        WrongUse: there is no such game, it does not take these options or so many players, or there would be no deal.
    """
    if deals < 1:
        raise WrongUse(f"deals: {deals} is not allowed; draw from at least one")
    found = installed_game(name)
    chosen = found.read(options or {})
    tree = GameTree(found, chosen, seats, space(name, seats, options), deals)
    words = [f"{option}_{value}" for option, value in (options or {}).items()] + [f"deals_{deals}"] * (deals != _DEALS)
    short = re.sub(r"\W+", "_", "_".join(["referee", found.name, str(seats), *words]).lower())
    return _register(short, tree, found, chosen)


def _register(short: str, tree: GameTree, installed: InstalledGame, options: Any) -> Any:
    if short not in pyspiel.registered_names():
        kind = _kind(short, installed, options, tree.seats)
        made = type(
            short, (MatchGame,), {"tree": tree, "kind": kind, "facts": _facts(kind, tree), "__module__": __name__}
        )
        globals()[short] = made  # OpenSpiel outlives the objects of the interpreter, and asks for the class by its name
        pyspiel.register_game(kind, made)
    return pyspiel.load_game(short)


def _kind(short: str, installed: InstalledGame, options: Any, seats: int) -> Any:
    kinds = pyspiel.GameType
    return kinds(
        short_name=short,
        long_name=f"{installed.name} for {seats}: {options}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=_utility(installed, options, seats),
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=seats,
        min_num_players=seats,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
    )


def _utility(installed: InstalledGame, options: Any, seats: int) -> Any:
    """All seats win alike, or two sides of one size add up to 0. Other sides need not add up, seat by seat."""
    sides = installed.rules.sides(options, seats)
    if len(sides) == 1:
        return pyspiel.GameType.Utility.IDENTICAL
    even = len(sides) == 2 and len(sides[0].seats) == len(sides[1].seats)
    return pyspiel.GameType.Utility.ZERO_SUM if even else pyspiel.GameType.Utility.GENERAL_SUM


def _facts(kind: Any, tree: GameTree) -> Any:
    together = kind.utility == pyspiel.GameType.Utility.IDENTICAL
    return pyspiel.GameInfo(
        num_distinct_actions=tree.space.actions,
        max_chance_outcomes=tree.deals,
        num_players=tree.seats,
        min_utility=0.0 if together else -1.0,
        max_utility=_HIGHEST_SCORE if together else 1.0,
        utility_sum=0.0 if kind.utility == pyspiel.GameType.Utility.ZERO_SUM else None,
        max_game_length=_LONGEST,
    )
