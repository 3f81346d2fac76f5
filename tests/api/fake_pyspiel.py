"""The few interfaces of OpenSpiel that our games use, for tests without it."""

from copy import deepcopy
from enum import Enum
from types import ModuleType, SimpleNamespace
from typing import Any


class PlayerId(int, Enum):
    CHANCE = -1
    TERMINAL = -4


class State:
    def __init__(self, game: Any) -> None:
        self._game = game

    def current_player(self) -> int:
        raise NotImplementedError

    def is_chance_node(self) -> bool:
        return self.current_player() == PlayerId.CHANCE

    def legal_actions(self) -> list[int]:
        legal: list[int] = vars(type(self))["_legal_actions"](self, self.current_player())
        return legal

    def apply_action(self, action: int) -> None:
        vars(type(self))["_apply_action"](self, action)

    def get_game(self) -> Any:
        return self._game

    def clone(self) -> Any:
        twin = object.__new__(type(self))
        vars(twin).update({name: deepcopy(it) for name, it in vars(self).items() if name != "_game"}, _game=self._game)
        return twin


class Game:
    def __init__(self, kind: Any, facts: Any, params: Any) -> None:
        self.kind, self.facts, self.params = kind, facts, params


class GameType(SimpleNamespace):
    Dynamics = SimpleNamespace(SEQUENTIAL="sequential")
    ChanceMode = SimpleNamespace(EXPLICIT_STOCHASTIC="explicit")
    Information = SimpleNamespace(IMPERFECT_INFORMATION="imperfect")
    Utility = SimpleNamespace(ZERO_SUM="zero sum", GENERAL_SUM="general sum", IDENTICAL="identical")
    RewardModel = SimpleNamespace(TERMINAL="terminal")


def module() -> ModuleType:
    """The module."""
    made = ModuleType("pyspiel")
    registered: dict[str, Any] = {}
    vars(made).update(
        State=State,
        Game=Game,
        GameType=GameType,
        GameInfo=SimpleNamespace,
        PlayerId=PlayerId,
        registered_names=lambda: list(registered),
        register_game=lambda kind, made: registered.update({kind.short_name: made}),
        load_game=lambda name: registered[name](),
    )
    return made
