"""The players' part of the rules, put together: what its steps wait for, allow and do."""

from collections.abc import Callable
from typing import Any

from referee.core.game import Awaiting
from referee.core.outcome import Seat
from referee.games.agonia.moves import Action
from referee.games.agonia.state import Progress, State

PERFORM: dict[type, Callable[[State, Any], Progress | None]] = {}
AWAITED: dict[type, Callable[[State, Any], Awaiting]] = {}
LEGAL: dict[type, Callable[[State, Any, Seat], tuple[Action, ...]]] = {}
APPLY: dict[type, Callable[[State, Any, Seat, Any], Progress]] = {}
LUCK: dict[type, Callable[[State, Any, tuple[int, ...]], Progress]] = {}
