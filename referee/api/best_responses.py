"""How much a player can lose to an opponent that knows it: exactly, by the whole tree of a small game for two."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import permutations, product
from math import factorial
from typing import Any, TypeAlias

from referee.api.decisions import Decision
from referee.api.games import InstalledGame, Options, game
from referee.api.rewards import RewardRule, Rewards, reward_rule
from referee.core.errors import WrongUse
from referee.core.game import Decide, Information, Over, Roll, Shuffle
from referee.core.outcome import Seat

Policy: TypeAlias = Callable[[Decision], Sequence[float]]
"""Gives the probability of each of `decision.legal`. It gets no seed of its own: `decision.seed` is empty."""

_MOST = 1_000_000
"""So many positions a tree may have."""


def exploitability(name: str, policy: Policy, options: Options | None = None, rewards: Rewards = "places") -> float:
    """The mean, over both seats, of what a best response gets against this policy beyond the value of the game.

    In a zero-sum game it is 0 for an equilibrium, and never less. Only games for two in which one seat decides at a
    time, and whose tree is small, have such a number here: the whole tree is walked twice.

    Raises:
        WrongUse: the game has no match for two with these options, several seats decide at once, its tree has more
            than a million positions, or the policy gives other than one probability for each legal action.
    """
    found = game(name)
    seats, chosen = found.settle(2, options)
    rule = reward_rule(rewards, found.rules, chosen, seats)
    return sum(_Tree(found, chosen, rule, policy, seat).value for seat in range(seats)) / seats


class _Node:
    """A position in the tree, and how likely luck and the opponent lead to it.

    Attributes:
        reach: that probability.
        key: what the responder knows, if it decides here.
        next: the positions that may follow, each with its probability; with equal ones where the responder decides.
        worth: what the responder gets from here on; None: not known yet.
    """

    __slots__ = ("key", "next", "reach", "worth")

    def __init__(self, reach: float) -> None:
        self.reach = reach
        self.key: Information | None = None
        self.next: list[tuple[float, _Node]] = []
        self.worth: float | None = None


class _Tree:
    """The tree of a game for a responder at one seat.

    Attributes:
        value: what a best response gets.
    """

    def __init__(self, found: InstalledGame, options: Any, rule: RewardRule, policy: Policy, responder: Seat) -> None:
        self._game, self._options, self._rule, self._policy = found, options, rule, policy
        self._responder, self._count = responder, 0
        self._known: defaultdict[Information, list[_Node]] = defaultdict(list)
        self._best: dict[Information, int] = {}
        nothing: tuple[Any, ...] = ((), ())
        self.value = self._value(self._grow(found.rules.setup(options, 2), 1.0, nothing, nothing))

    def _grow(self, state: Any, reach: float, past: tuple[Any, ...], heard: tuple[Any, ...]) -> _Node:
        """The tree from a position on. `past` and `heard` are those of both seats."""
        self._count += 1
        if self._count > _MOST:
            raise WrongUse(f"{self._game.name} with these options has more than {_MOST} positions; take a smaller game")
        node, rules = _Node(reach), self._game.rules
        awaited = rules.awaiting(state)
        if isinstance(awaited, Over):
            node.worth = self._rule(awaited.outcome)[self._responder]
        elif isinstance(awaited, Decide):
            if len(awaited.seats) > 1:
                raise WrongUse(f"{self._game.name}: several seats decide at once; take a game in which one does")
            (seat,) = awaited.seats
            legal = rules.legal(state, seat)
            key = Information(self._options, 2, seat, past[seat], heard[seat], rules.view(state, seat), legal)
            chances = [1.0] * len(legal)
            if seat == self._responder:
                node.key = key
                self._known[key].append(node)
            else:
                chances = self._chances(key)
            for action, chance in zip(legal, chances, strict=True):
                then = _with(past, seat, (*past[seat], (heard[seat], action)))
                after, events = rules.apply(state, {seat: action})
                following = self._grow(after, reach * chance, then, self._hear(_with(heard, seat, ()), events))
                node.next.append((chance, following))
        else:
            results = list(_results(awaited))
            for drawn in results:
                after, events = rules.luck(state, drawn)
                following = self._grow(after, reach / len(results), past, self._hear(heard, events))
                node.next.append((1 / len(results), following))
        return node

    def _hear(self, heard: tuple[Any, ...], events: Sequence[Any]) -> tuple[Any, ...]:
        hear = self._game.rules.heard
        return tuple(
            known + tuple(part for event in events if (part := hear(event, seat)) is not None)
            for seat, known in enumerate(heard)
        )

    def _chances(self, key: Information) -> Sequence[float]:
        number = len(key.past or ()) + 1
        known = Decision(
            self._game.name, self._options, 2, key.seat, b"", number, key.view, key.legal, key.heard, key.past
        )
        chances = self._policy(known)
        if len(chances) != len(key.legal) or min(chances) < 0 or abs(sum(chances) - 1) > 1e-6:
            raise WrongUse(f"the policy gave {chances!r} for {len(key.legal)} actions; give a probability for each")
        return chances

    def _value(self, node: _Node) -> float:
        """What the responder gets from a position on, as it responds best."""
        if node.worth is None and node.key is not None:
            node.worth = self._value(node.next[self._choice(node.key)][1])
        elif node.worth is None:
            node.worth = sum(chance * self._value(after) for chance, after in node.next if chance)
        return node.worth

    def _choice(self, key: Information) -> int:
        """The best choice where the responder knows this: over all positions that it cannot tell apart."""
        if key not in self._best:
            nodes = self._known[key]
            worths = [sum(node.reach * self._value(node.next[at][1]) for node in nodes) for at in range(len(key.legal))]
            self._best[key] = worths.index(max(worths))
        return self._best[key]


def _with(values: tuple[Any, ...], seat: Seat, value: Any) -> tuple[Any, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def _results(awaited: Shuffle | Roll) -> Iterator[tuple[int, ...]]:
    """All results of a draw, equally likely."""
    count = factorial(awaited.count) if isinstance(awaited, Shuffle) else awaited.faces**awaited.count
    if count > _MOST:
        raise WrongUse(f"the draw {awaited.label!r} has {count} results; take a smaller game")
    if isinstance(awaited, Shuffle):
        return permutations(range(awaited.count))
    return product(range(awaited.faces), repeat=awaited.count)
