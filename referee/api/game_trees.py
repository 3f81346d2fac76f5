"""A match as a tree, one draw of luck or one choice of a seat after another, for libraries that search or solve games.

The nodes are values. Nothing here knows such a library.
"""

from collections.abc import Callable
from functools import cache, lru_cache
from itertools import permutations, product
from math import factorial
from random import Random
from typing import Any

import msgspec

from referee.api.games import InstalledGame
from referee.api.spaces import Space
from referee.core import seeds
from referee.core.game import Awaiting, Decide, Over, Roll, Shuffle
from referee.core.outcome import Seat, rewards
from referee.match.match import draw

_DEALS = seeds.from_text("deals of game trees")
_WORDS_KEPT = 4096


class TreeNode(msgspec.Struct, frozen=True):
    """A place in the tree. A copy of it is the node itself.

    Attributes:
        state: the whole position.
        awaiting: what it waits for.
        chosen: the sealed choices so far, of the first of the awaited seats.
        told: by seat, in words, all that it heard and chose so far.
    """

    state: Any
    awaiting: Awaiting
    told: tuple[str, ...]
    chosen: tuple[Any, ...] = ()

    def __deepcopy__(self, _memo: object) -> "TreeNode":
        return self

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that choose now, with those that have chosen; none if luck is drawn next, or the match is over."""
        return self.awaiting.seats if isinstance(self.awaiting, Decide) else ()

    @property
    def seat(self) -> Seat | None:
        """The seat that chooses next. None if luck is drawn next, or if the match is over."""
        return self.seats[len(self.chosen)] if self.seats else None

    @property
    def is_over(self) -> bool:
        """Whether the match is over."""
        return isinstance(self.awaiting, Over)


class GameTree:
    """The tree of a game with its options and number of seats.

    A draw of luck with more than `deals` results is drawn from `deals` of them, which are equally likely. Deal k of a
    draw is the same in every match.
    """

    def __init__(self, installed: InstalledGame, options: Any, seats: int, space: Space, deals: int) -> None:
        self.game = installed
        self.space = space
        self.seats = seats
        self.deals = deals
        self._rules, self._options = installed.rules, options
        self._words: Callable[[Any], str] = lru_cache(_WORDS_KEPT)(installed.describe)

    def root(self) -> TreeNode:
        """The match before anything is drawn."""
        state = self._rules.setup(self._options, self.seats)
        return TreeNode(state, self._rules.awaiting(state), ("",) * self.seats)

    def count_deals(self, node: TreeNode) -> int:
        """How many equally likely results the draw of the node has."""
        return min(self.deals, _count_results(node.awaiting))

    def after_deal(self, node: TreeNode, deal: int) -> TreeNode:
        """The node after one of the results of its draw, counted from 0."""
        awaited = node.awaiting
        if not isinstance(awaited, Shuffle | Roll):
            raise ValueError(f"no luck is drawn while {awaited} is awaited")
        if _count_results(awaited) <= self.deals:
            drawn = _all_results(msgspec.structs.replace(awaited, label=""))[deal]
        else:
            drawn = draw(seeds.child(_DEALS, str(deal)), awaited)
        return self._after(node.told, *self._rules.luck(node.state, drawn))

    def legal(self, node: TreeNode) -> dict[int, Any]:
        """The legal actions of the seat that chooses, by id, sorted."""
        seat = _require_seat(node)
        legal = self._rules.legal(node.state, seat)
        return dict(sorted(zip(self.space.list_ids(self.view(node, seat), legal), legal, strict=True)))

    def after_choice(self, node: TreeNode, action: Any) -> TreeNode:
        """The node after the seat chose. Nobody but the seat is told before all have chosen that choose sealed."""
        seat, chosen = _require_seat(node), (*node.chosen, action)
        own = f"{node.told[seat]}I choose: {self.game.describe_action(action)}\n"
        told = (*node.told[:seat], own, *node.told[seat + 1 :])
        if len(chosen) < len(node.seats):
            return TreeNode(node.state, node.awaiting, told, chosen)
        return self._after(told, *self._rules.apply(node.state, dict(zip(node.seats, chosen, strict=True))))

    def view(self, node: TreeNode, seat: Seat) -> Any:
        """The position as the seat may know it. It tells nothing of sealed choices."""
        return self._rules.view(node.state, seat)

    def information(self, node: TreeNode, seat: Seat) -> str:
        """All that the seat was told and chose so far, and what it sees: its information set, in words."""
        return f"seat {seat}\n{node.told[seat]}{self.observation(node, seat)}"

    def observation(self, node: TreeNode, seat: Seat) -> str:
        """What the seat sees, in words."""
        return self.game.describe_view(self.view(node, seat))

    def describe(self, node: TreeNode) -> str:
        """The node in words: what each seat sees, and the sealed choices so far."""
        seen = [f"seen by seat {seat}: {self.observation(node, seat)}" for seat in range(self.seats)]
        return "\n".join([*seen, *(f"chosen: {self.game.describe_action(action)}" for action in node.chosen)])

    def rewards(self, node: TreeNode) -> tuple[float, ...]:
        """By seat; all 0 before the end."""
        awaited = node.awaiting
        return rewards(awaited.outcome) if isinstance(awaited, Over) else (0.0,) * self.seats

    def resample(self, node: TreeNode, seat: Seat, rng: Random) -> TreeNode:
        """A node that `seat` cannot tell from this one. What others were told, and chose sealed, is not kept.

        Raises:
            WrongUse: the game cannot deal anew what is hidden.
        """
        state = self.game.resample(node.state, seat, rng)
        told = tuple(words if other == seat else "" for other, words in enumerate(node.told))
        chosen = tuple(
            action if other == seat else rng.choice(self._rules.legal(state, other))
            for other, action in zip(node.seats, node.chosen, strict=False)
        )
        return TreeNode(state, self._rules.awaiting(state), told, chosen)

    def _after(self, told: tuple[str, ...], state: Any, events: tuple[Any, ...]) -> TreeNode:
        heard = [[self._rules.heard(event, seat) for event in events] for seat in range(self.seats)]
        added = ["".join([f"{self._words(part)}\n" for part in parts if part is not None]) for parts in heard]
        return TreeNode(state, self._rules.awaiting(state), tuple(map(str.__add__, told, added)))


def _require_seat(node: TreeNode) -> Seat:
    if node.seat is None:
        raise ValueError(f"nobody chooses while {node.awaiting} is awaited")
    return node.seat


def _count_results(awaited: Awaiting) -> int:
    if isinstance(awaited, Shuffle):
        return factorial(awaited.count)
    return awaited.faces**awaited.count if isinstance(awaited, Roll) else 0


@cache  # a game has few such draws, apart from their labels
def _all_results(awaited: Shuffle | Roll) -> tuple[tuple[int, ...], ...]:
    if isinstance(awaited, Shuffle):
        return tuple(permutations(range(awaited.count)))
    return tuple(product(range(awaited.faces), repeat=awaited.count))
