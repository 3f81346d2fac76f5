"""Our games as games of OpenSpiel.

    import referee.pyspiel

    game = referee.pyspiel.game("agent-avenue", seats=2, options={"mode": "advanced"})

It needs the extra `openspiel`. `referee.space` says what observation tensors and actions mean.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import islice, permutations, product
from math import factorial
from random import Random
from typing import Any

import msgspec
import numpy as np

from referee.api.games import InstalledGame
from referee.api.games import game as installed_game
from referee.api.rewards import RewardRule, Rewards, reward_rule
from referee.api.spaces import Floats, Space, space
from referee.core import seeds
from referee.core.errors import WrongUse
from referee.core.game import Awaiting, Decide, Over, Roll, ScoresBounded, Shuffle
from referee.core.outcome import Seat
from referee.match.match import draw

try:
    import pyspiel
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        "referee.pyspiel needs OpenSpiel, which is not installed; run: pip install 'referee[openspiel]'",
        name=missing.name,
    ) from None

_DEALS = 1000
_SEED = seeds.from_text("deals of game trees")
_LONGEST = 10_000
"""More choices than any match has. OpenSpiel asks for such a number."""
_HIGHEST = 1e6
_WORDS_KEPT = 4096


class MatchNode(msgspec.Struct, frozen=True):
    """A place in the tree of draws of luck and choices of single seats. A copy of it is the node itself.

    Attributes:
        state: the whole position.
        awaiting: what it waits for.
        histories: by seat, in words, all that it heard and chose so far.
        chosen: the sealed choices so far, of the first of the awaited seats.
    """

    state: Any
    awaiting: Awaiting
    histories: tuple[str, ...]
    chosen: tuple[Any, ...] = ()

    def __deepcopy__(self, _memo: object) -> "MatchNode":
        return self

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that choose now, with those that have chosen; none if luck is drawn next, or the match is over."""
        return self.awaiting.seats if isinstance(self.awaiting, Decide) else ()


class MatchState(pyspiel.State):
    """A match at one draw or choice.

    Sealed choices come one after another, and nobody observes them before all are made.

    Attributes:
        node: the place in the tree of the game. Copies share it, as it never changes.
    """

    def __init__(self, game: "MatchGame") -> None:
        super().__init__(game)
        state = game.rules.setup(game.options, game.seats)
        self.node = MatchNode(state, game.rules.awaiting(state), ("",) * game.seats)

    @property
    def _match_game(self) -> "MatchGame":
        game: MatchGame = self.get_game()
        return game

    def current_player(self) -> int:
        """The seat, or the player that stands for luck or for the end."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return self.node.seats[len(self.node.chosen)] if self.node.seats else int(pyspiel.PlayerId.CHANCE)

    def legal_by_id(self) -> dict[int, Any]:
        """The legal actions of the seat that chooses, by id, sorted; none if no seat chooses."""
        seat = self.current_player()
        if seat < 0:
            return {}
        legal = self._match_game.rules.legal(self.node.state, seat)
        return dict(sorted(zip(self._match_game.space.list_ids(self.view(seat), legal), legal, strict=True)))

    def _legal_actions(self, _player: int) -> list[int]:
        return list(self.legal_by_id())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The deals, all equally likely."""
        count = min(self._match_game.deals, _count_results(self.node.awaiting))
        return [(deal, 1 / count) for deal in range(count)]

    def _apply_action(self, action: int) -> None:
        awaited = self.node.awaiting
        if isinstance(awaited, Shuffle | Roll):
            drawn = _result(awaited, action, self._match_game.deals)
            self._go_on(self.node.histories, *self._match_game.rules.luck(self.node.state, drawn))
        else:
            self._choose(self.current_player(), self.legal_by_id()[action])

    def _choose(self, seat: Seat, action: Any) -> None:
        """Other seats learn of it when all have chosen that choose sealed."""
        node, chosen = self.node, (*self.node.chosen, action)
        own = f"{node.histories[seat]}I choose: {self._match_game.installed.describe_action(action)}\n"
        histories = (*node.histories[:seat], own, *node.histories[seat + 1 :])
        if len(chosen) < len(node.seats):
            self.node = MatchNode(node.state, node.awaiting, histories, chosen)
        else:
            self._go_on(
                histories, *self._match_game.rules.apply(node.state, dict(zip(node.seats, chosen, strict=True)))
            )

    def _go_on(self, histories: tuple[str, ...], state: Any, events: tuple[Any, ...]) -> None:
        game = self._match_game
        seat_events = [[game.rules.heard(event, seat) for event in events] for seat in range(game.seats)]
        added = ["".join([f"{game.words(part)}\n" for part in parts if part is not None]) for parts in seat_events]
        self.node = MatchNode(state, game.rules.awaiting(state), tuple(map(str.__add__, histories, added)))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        return self._match_game.space.action_words[action]

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return isinstance(self.node.awaiting, Over)

    def returns(self) -> list[float]:
        """The rewards by seat; all 0 before the end."""
        awaited, rewards = self.node.awaiting, self._match_game.rewards
        return list(rewards(awaited.outcome)) if isinstance(awaited, Over) else [0.0] * self._match_game.seats

    def view(self, seat: Seat) -> Any:
        """The position as the seat may know it. It tells nothing of sealed choices."""
        return self._match_game.rules.view(self.node.state, seat)

    def information_state_string(self, player: Seat | None = None) -> str:
        """All that the player learned and chose so far, and what it sees."""
        seat = self.current_player() if player is None else player
        return f"seat {seat}\n{self.node.histories[seat]}{self.observation_string(seat)}"

    def observation_string(self, player: Seat | None = None) -> str:
        """What the player sees, in words."""
        return self._match_game.installed.describe_view(self.view(self.current_player() if player is None else player))

    def resample_from_infostate(self, player: Seat, sampler: Callable[[], float]) -> "MatchState":
        """Another state that the player cannot tell from this one.

        What others were told, and chose sealed, is not kept.

        Raises:
            WrongUse: the game cannot deal anew what is hidden.
        """
        rng, node, rules = Random(sampler()), self.node, self._match_game.rules  # noqa: S311 - it searches
        state = self._match_game.installed.resample(node.state, player, rng)
        histories = tuple(words if seat == player else "" for seat, words in enumerate(node.histories))
        chosen = tuple(
            action if seat == player else rng.choice(rules.legal(state, seat))
            for seat, action in zip(node.seats, node.chosen, strict=False)
        )
        other: MatchState = self.clone()
        other.node = MatchNode(state, rules.awaiting(state), histories, chosen)
        return other

    def __str__(self) -> str:
        seen = [f"seen by seat {seat}: {self.observation_string(seat)}" for seat in range(self._match_game.seats)]
        sealed = [f"chosen: {self._match_game.installed.describe_action(action)}" for action in self.node.chosen]
        return "\n".join([*seen, *sealed])


class MatchObserver:
    """Puts what a player sees into a tensor. With perfect recall it has only words: a past has no fixed length."""

    def __init__(self, space: Space, remembers: bool) -> None:
        self._space, self._remembers = space, remembers
        self.tensor: Floats | None = None if remembers else np.zeros(space.size, np.float32)
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: MatchState, player: Seat) -> None:
        """Look as the player. A past is refused (`WrongUse`): the vector of a view is only its end."""
        if self.tensor is None:
            raise WrongUse("a past has no tensor, as its length is not fixed; take information_state_string")
        self.tensor[:] = self._space.encode(state.view(player))

    def string_from(self, state: MatchState, player: Seat) -> str:
        """What the player sees, in words; if it remembers, also all that it learned and chose."""
        if self._remembers:
            return state.information_state_string(player)
        return state.observation_string(player)


class MatchGame(pyspiel.Game):
    """A game with its options and number of seats; each has a class derived from this one.

    A draw of luck with more than `deals` results is drawn from `deals` of them, which are equally likely. Deal k of a
    draw is the same in every match.

    Attributes:
        installed, options, seats, space, deals: what is played.
        rewards: gives the returns of an outcome.
        returns: the lowest and the highest return.
        rules: those of the game.
        words: describes an event, and keeps what it described.
        kind: its `pyspiel.GameType`.
    """

    installed: InstalledGame
    options: Any
    seats: int
    space: Space
    deals: int
    rewards: RewardRule
    returns: tuple[float, float]
    kind: Any

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        super().__init__(self.kind, self._facts(), params or {})
        self.rules = self.installed.rules
        self.words: Callable[[Any], str] = lru_cache(_WORDS_KEPT)(self.installed.describe)

    def _facts(self) -> Any:
        zero_sum, (low, high) = self.kind.utility == pyspiel.GameType.Utility.ZERO_SUM, self.returns
        return pyspiel.GameInfo(
            num_distinct_actions=self.space.actions,
            max_chance_outcomes=self.deals,
            num_players=self.seats,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if zero_sum else None,
            max_game_length=_LONGEST,
        )

    def new_initial_state(self) -> MatchState:
        """A match before anything is drawn."""
        return MatchState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> MatchObserver:  # noqa: ARG002
        """The tensor is that of the player's view. With perfect recall there are words, and no tensor."""
        return MatchObserver(self.space, remembers=iig_obs_type is not None and iig_obs_type.perfect_recall)


def _count_results(awaited: Awaiting) -> int:
    if isinstance(awaited, Shuffle):
        return factorial(awaited.count)
    return awaited.faces**awaited.count if isinstance(awaited, Roll) else 0


def _result(awaited: Shuffle | Roll, deal: int, deals: int) -> tuple[int, ...]:
    if _count_results(awaited) > deals:
        return draw(seeds.child(_SEED, str(deal)), awaited)
    if isinstance(awaited, Shuffle):
        return next(islice(permutations(range(awaited.count)), deal, None))
    return next(islice(product(range(awaited.faces), repeat=awaited.count), deal, None))


def game(
    name: str,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    deals: int = _DEALS,
    rewards: Rewards = "places",
) -> Any:
    """A game for OpenSpiel, which is also registered there, for states that are read again.

    Luck is explicit: each draw has at most `deals` results, all equally likely. A draw with more results is drawn from
    so many of them, fixed by its label. Without `seats`, as few play as the options allow. The returns are the
    `rewards` of `referee.start`.

    Raises:
        WrongUse: there is no such game, it does not take these options or so many players, or there would be no deal.
    """
    if deals < 1:
        raise WrongUse(f"deals: {deals} is not allowed; draw from at least one")
    found = installed_game(name)
    count, chosen = found.settle(seats, options)
    rule = reward_rule(rewards, found.rules, chosen, count)
    words = [f"{option}_{value}" for option, value in (options or {}).items()] + [f"deals_{deals}"] * (deals != _DEALS)
    if rewards != "places":  # two functions may have one name
        words.append(f"rewards_{len(pyspiel.registered_names())}" if callable(rewards) else rewards)
    short = re.sub(r"\W+", "_", "_".join(["referee", found.name, str(count), *words]).lower())
    if short not in pyspiel.registered_names():
        utility, returns = _utility(found, chosen, count, rewards)
        kind = _kind(short, f"{found.name} for {count}: {chosen}", count, utility)
        what = {"installed": found, "options": chosen, "seats": count, "space": space(name, count, options)}
        what |= {"rewards": staticmethod(rule), "returns": returns, "deals": deals, "kind": kind}
        made = type(short, (MatchGame,), what | {"__module__": __name__})
        globals()[short] = made  # OpenSpiel outlives the objects of the interpreter, and asks for the class by its name
        pyspiel.register_game(kind, made)
    return pyspiel.load_game(short)


def exploitability(game: Any, chances: Callable[[Any, tuple[Any, ...]], Sequence[float]]) -> float:
    """How much more a best response gets than this policy where all others keep to it: the mean over the seats.

    `chances` takes a view and the legal actions, and gives the probability of each. OpenSpiel walks through the whole
    tree, so the game must be small; fewer `deals` make it smaller.
    """
    from open_spiel.python.algorithms.exploitability import nash_conv  # noqa: PLC0415 - it takes a while
    from open_spiel.python.policy import Policy  # noqa: PLC0415

    class Chances(Policy):
        def action_probabilities(self, state: MatchState, player_id: Seat | None = None) -> dict[int, float]:
            legal = state.legal_by_id()
            seen = state.view(state.current_player() if player_id is None else player_id)
            return dict(zip(legal, chances(seen, tuple(legal.values())), strict=True))

    seats: int = game.num_players()
    return float(nash_conv(game, Chances(game, list(range(seats))))) / seats


def _kind(short: str, long: str, seats: int, utility: Any) -> Any:
    kinds = pyspiel.GameType
    return kinds(
        short_name=short,
        long_name=long,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=seats,
        min_num_players=seats,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
    )


def _utility(installed: InstalledGame, options: Any, seats: int, chosen: Rewards) -> tuple[Any, tuple[float, float]]:
    """How the returns of players are related, and their bounds.

    By places, the returns of seats that play alone add up to 0, and so do those of sides of one size; other sides need
    not add up, seat by seat, nor need scores.
    """
    kinds, sides = pyspiel.GameType.Utility, installed.rules.sides(options, seats)
    together = len(sides) == 1 and not callable(chosen)
    uneven = installed.rules.deals_sides(options) or len({len(side.seats) for side in sides}) > 1
    other = kinds.GENERAL_SUM if chosen != "places" or uneven else kinds.ZERO_SUM
    low, high = (0.0 if chosen == "places" else -_HIGHEST), _HIGHEST
    if chosen == "normalized score" or (chosen == "places" and not together):
        low, high = -1.0, 1.0
    elif not callable(chosen) and isinstance(installed.rules, ScoresBounded):
        low, high = installed.rules.score_range(options, seats)
    return kinds.IDENTICAL if together else other, (low, high)
