"""The games of OpenSpiel as the rest of the project sees them: an object that fulfils `referee.core.game.Game`.

The referee draws the luck. A seat gets what OpenSpiel tells it of a position. It hears no moves of others, unless the
game has perfect information. A position is the moves since the beginning of the match; OpenSpiel's own position follows
from them. Each game has its sides, and OpenSpiel's returns give their places.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache, reduce
from math import inf
from operator import attrgetter
from typing import Any, TypeAlias

import msgspec

from referee.core.domains import Domain, Domains, Meaning, pack
from referee.core.errors import WrongUse
from referee.core.game import Awaiting, Decide, Over, RandomNumbers, Roll
from referee.core.outcome import Outcome, Seat, Side
from referee.games.openspiel.library import Options, has_perfect_information, load_game, name_of, told_as

_OPPOSITE = (Side("a", (0, 2)), Side("b", (1, 3)))

PARTNERS: Mapping[str, tuple[Side, ...]] = {
    "bridge": _OPPOSITE,
    "euchre": _OPPOSITE,
    "spades": _OPPOSITE,
    "tiny_bridge_4p": _OPPOSITE,
}
"""The games with partners. OpenSpiel gives every partner the same return."""

COOPERATIVE = frozenset({"lewis_signaling", "trade_comm"})
"""The games in which all get the same return, although OpenSpiel does not say so. It does of Hanabi and others."""


@lru_cache(64)
def sides_of(game: str) -> tuple[Side, ...]:
    """The seats that win or lose together. Where that is nobody, each seat plays for itself."""
    if is_cooperative(game):
        return (Side("all", tuple(range(load_game(game).num_players()))),)
    return PARTNERS.get(name_of(game), ())


def is_cooperative(game: str) -> bool:
    """Whether all seats are one side."""
    kind = load_game(game).get_type()
    return name_of(game) in COOPERATIVE or kind.utility == type(kind).Utility.IDENTICAL


def outcome(game: str, returns: Sequence[float]) -> Outcome:
    """The outcome of a match with these returns by seat, which are kept as scores.

    All seats of a cooperative game win if they get more than 0, and else lose: so Hanabi without a point is lost.
    In another game the side with the higher mean return is ahead.
    """
    sides, seats = sides_of(game), len(returns)
    scores = tuple(int(worth) if worth.is_integer() else worth for worth in returns)
    if len(sides) == 1:
        won = returns[0] > 0
        return Outcome("won" if won else "lost", (1 if won else 2,) * seats, sides, scores)
    members = {seat: side.seats for side in sides for seat in side.seats}
    worths = [_mean([returns[other] for other in members.get(seat, (seat,))]) for seat in range(seats)]
    places = tuple(1 + sum(other > own for other in worths) for own in worths)
    return Outcome("drawn" if set(places) == {1} else "decided", places, sides, scores)


def _mean(returns: Sequence[float]) -> float:
    """Rounded, so that equal sums of unequal order tie."""
    return round(sum(returns) / len(returns), 9)


Move: TypeAlias = int | tuple[int, ...]
"""The action of luck or of one seat, or the actions of all seats by seat, where several choose at once."""


class State(msgspec.Struct, frozen=True, dict=True):
    """A position.

    Attributes:
        options: which game is played.
        moves: oldest first.
        draws: how many of them luck made.
    """

    options: Options
    moves: tuple[Move, ...] = ()
    draws: int = 0

    @cached_property
    def position(self) -> Any:
        """OpenSpiel's own position. Nobody may change it; a position that follows is made from a copy."""
        state = State(self.options)
        state.__dict__["position"] = load_game(self.options.game).new_initial_state()
        return reduce(State.after, self.moves, state).position

    @cached_property
    def outcomes(self) -> list[tuple[int, float]]:
        """The results of the luck that is awaited, with their chances."""
        outcomes: list[tuple[int, float]] = self.position.chance_outcomes()
        return outcomes

    @cached_property
    def faces(self) -> int:
        """Those of the roll that stands for this luck."""
        return len(self.outcomes) if len({chance for _, chance in self.outcomes}) == 1 else _FACES

    def after(self, move: Move) -> "State":
        """The position after one more move."""
        later = State(self.options, (*self.moves, move), self.draws + self.position.is_chance_node())
        if isinstance(move, int):
            position = self.position.child(move)
        else:
            position = self.position.clone()
            position.apply_actions(list(move))
        later.__dict__["position"] = position  # so that nobody plays all moves again
        return later


def state_of(options: Options, position: Any) -> State:
    """The position of OpenSpiel as one of ours, by its moves."""
    state, made = State(options), [each.action for each in position.full_history()]
    while made:
        count = position.num_players() if state.position.is_simultaneous_node() else 1
        move, made = made[:count], made[count:]
        state = state.after(tuple(move) if state.position.is_simultaneous_node() else move[0])
    return state


VARIED = (
    # everything is seen; the last two have dice
    "tic_tac_toe",
    "connect_four",
    "breakthrough(rows=6,columns=5)",
    "go(board_size=4)",
    "backgammon(hyper_backgammon=true)",
    "pig(players=3,winscore=20)",
    # something is hidden
    "kuhn_poker",
    "kuhn_poker(players=3)",
    "leduc_poker",
    "liars_dice",
    "phantom_ttt",
    # all choose at the same time
    "goofspiel(imp_info=true,num_cards=5)",
    "matrix_pd",
    "blotto(coins=5,players=3)",
    # what one wins, others need not lose
    "bargaining",
    "first_sealed_auction(players=5)",
    # together, and with partners
    "hanabi(colors=2,hand_size=2,players=3,ranks=3)",
    "trade_comm",
    "bridge(use_double_dummy_result=false)",
    "tiny_bridge_4p",
)
"""Games of every kind, with two to five players, and none that takes long."""

_FACES = 1 << 32
"""A draw whose results are not equally likely is a roll of so many faces."""

_WORDS_TELL = frozenset({"dark_chess", "kriegspiel", "rbc"})
"""The games in whose notation a move can tell something hidden, such as a check. Their actions are only numbered."""

_MOST_ACTIONS = 100_000
"""So many ids of actions a space may have."""

_RESAMPLES = frozenset({"bargaining", "bridge", "hearts", "kuhn_poker", "leduc_poker", "oh_hell", "universal_poker"})
"""The games in which OpenSpiel deals anew what is hidden from a seat, and `check-game` finds nothing wrong with it."""


class Action(msgspec.Struct, frozen=True):
    """An action: its number in OpenSpiel, and its words there."""

    id: int
    text: str


class View(msgspec.Struct, frozen=True):
    """What OpenSpiel tells a seat of a position, as text and as numbers. If the game lacks one of them, it is empty."""

    seat: Seat
    text: str
    tensor: tuple[float, ...]


class Chosen(msgspec.Struct, frozen=True, tag=True):
    """A seat has chosen. If `hidden`, no other seat hears it."""

    seat: Seat
    id: int
    text: str
    hidden: bool


class Drawn(msgspec.Struct, frozen=True, tag=True):
    """Luck has chosen. If `hidden`, no seat hears it."""

    id: int
    text: str
    hidden: bool


Event = Chosen | Drawn


class OpenSpiel:
    """The game. `rules_version` says with which OpenSpiel it is played, as that has the rules."""

    name = "openspiel"
    endings: tuple[str, ...] = ("decided", "drawn", "lost", "won")
    options_type = Options
    draw_probability = 0.1  # it differs from game to game

    def __init__(self, rules_version: int) -> None:
        self.rules_version = rules_version

    @cached_property
    def varieties(self) -> tuple[Options, ...]:
        """Games of every kind. They are loaded at the first use."""
        return tuple(Options(game=game) for game in VARIED)

    def seats(self, options: Options) -> tuple[int, ...]:
        """The players that the game has with its parameters."""
        return (load_game(options.game).num_players(),)

    def sides(self, options: Options, seats: int) -> tuple[Side, ...]:  # noqa: ARG002 - the options say how many
        """Partners, or all seats of a cooperative game."""
        return sides_of(options.game)

    def deals_sides(self, options: Options) -> bool:  # noqa: ARG002 - in no game
        """Never: where luck decides who plays together, each seat plays for itself here."""
        return False

    def score_range(self, options: Options, seats: int) -> tuple[float, float]:  # noqa: ARG002 - as `sides`
        """The bounds of the returns."""
        found = load_game(options.game)
        return found.min_utility(), found.max_utility()

    def domains(self, options: Options, seats: int) -> Domains:  # noqa: ARG002 - as `sides`
        """OpenSpiel's own numbers, whose bounds it does not say, and its ids.

        Raises:
            WrongUse: it has no numbers, or too many actions.
        """
        found, method = load_game(options.game), told_as(options.game, options.sees, "tensor")
        if method is None or found.num_distinct_actions() > _MOST_ACTIONS:
            what = "has no numbers of a position" if method is None else f"has more than {_MOST_ACTIONS} actions"
            raise WrongUse(f"{options.game} {what}, so it has no space; take its text, or other parameters")
        entries = tuple(Meaning(f"number {place}", -inf, inf) for place in range(getattr(found, f"{method}_size")()))
        ids = {Action(number, ""): f"action {number}" for number in range(found.num_distinct_actions())}
        return Domains(Domain(entries, lambda _own: lambda view: pack(view.tensor)), ids, id_of=attrgetter("id"))

    def setup(self, options: Options, seats: int) -> State:  # noqa: ARG002 - the options say how many
        """The game as it begins."""
        return State(options)

    def awaiting(self, state: State) -> Awaiting:
        """What OpenSpiel's node is: the end, a draw of luck, or choices."""
        position = state.position
        if (player := position.current_player()) >= 0:
            return Decide((player,))
        if position.is_terminal():
            return Over(outcome(state.options.game, position.returns()))
        if position.is_chance_node():
            return Roll(f"draw {state.draws + 1}", state.faces)
        return Decide(tuple(seat for seat in range(position.num_players()) if position.legal_actions(seat)))

    def legal(self, state: State, seat: Seat) -> tuple[Action, ...]:
        """The actions by their number, which is the same for everybody."""
        words, numbers = state.position.action_to_string, state.position.legal_actions(seat)
        if name_of(state.options.game) in _WORDS_TELL:
            return tuple([Action(number, f"action {number}") for number in numbers])
        return tuple([Action(number, words(seat, number)) for number in numbers])

    def luck(self, state: State, drawn: tuple[int, ...]) -> tuple[State, tuple[Event, ...]]:
        """The result that the roll stands for."""
        position = state.position
        number = _result(state, drawn[0])
        text = position.action_to_string(position.current_player(), number)
        return state.after(number), (Drawn(number, text, not has_perfect_information(state.options.game)),)

    def apply(self, state: State, choices: Mapping[Seat, Action]) -> tuple[State, tuple[Event, ...]]:
        """The choices, all at once. A seat that had none counts as action 0, as OpenSpiel wants it."""
        position, hidden = state.position, not has_perfect_information(state.options.game)
        chosen = sorted(choices.items())
        events = tuple([Chosen(seat, action.id, action.text, hidden) for seat, action in chosen])
        if not position.is_simultaneous_node():
            return state.after(chosen[0][1].id), events
        ids = {seat: action.id for seat, action in chosen}
        return state.after(tuple(ids.get(seat, 0) for seat in range(position.num_players()))), events

    def is_whole(self, state: State) -> bool:
        """Whether OpenSpiel has made these moves, and no others. It keeps the pieces."""
        made = [each.action for each in state.position.full_history()]
        return made == [number for move in state.moves for number in (move if isinstance(move, tuple) else (move,))]

    def view(self, state: State, seat: Seat) -> View:
        """What OpenSpiel tells the seat, and nothing else."""
        text, tensor = _information(state, seat, "string"), _information(state, seat, "tensor")
        return View(seat, text or "", tuple(tensor or ()))

    def heard(self, event: Event, seat: Seat) -> Event | None:
        """Where something is hidden, a seat hears only what it did itself."""
        own = isinstance(event, Chosen) and event.seat == seat
        return event if own or not event.hidden else None

    def rules_text(self, options: Options, seats: int) -> str:
        """The name of the game. OpenSpiel has no rules in words."""
        found = load_game(options.game)
        return (
            f"# {found.get_type().long_name}\n\nThis is the game {options.game} of OpenSpiel for {seats} players. "
            "OpenSpiel has no text of its rules. They are those of the game that is known under this name.\n\n"
            f"At the end a player gets a number from {found.min_utility():g} to {found.max_utility():g}. "
            "More is better. The names of the actions are those of OpenSpiel.\n"
        )

    def describe(self, event: Event) -> str:
        """The words of OpenSpiel, with the number."""
        who = f"seat {event.seat}" if isinstance(event, Chosen) else "luck"
        return f"{who}: {event.text} (action {event.id}{', hidden' if event.hidden else ''})"

    def describe_action(self, action: Action) -> str:
        """The words of OpenSpiel."""
        return action.text

    def describe_view(self, view: View) -> str:
        """The text of OpenSpiel; without one the numbers that are not 0."""
        numbers = ", ".join(f"{place}: {number:g}" for place, number in enumerate(view.tensor) if number)
        return f"seat {view.seat} sees\n{view.text or numbers}"

    def resample(self, state: State, seat: Seat, rng: RandomNumbers) -> State:
        """As OpenSpiel does it.

        Raises:
            WrongUse: OpenSpiel cannot do it for this game.
        """
        game = state.options.game
        if has_perfect_information(game) or state.position.is_terminal():
            return state
        if name_of(game) not in _RESAMPLES or state.position.is_chance_node():
            raise WrongUse(f"OpenSpiel cannot deal anew what is hidden in {game} here")
        return state_of(state.options, state.position.resample_from_infostate(seat, rng.random))


def _information(state: State, seat: Seat, form: str) -> Any:
    """What OpenSpiel tells a seat in this form; None if the game does not have it."""
    method = told_as(state.options.game, state.options.sees, form)
    return method and getattr(state.position, method)(seat)


def _result(state: State, rolled: int) -> int:
    """The action that a roll stands for."""
    outcomes = state.outcomes
    if state.faces != _FACES:
        return outcomes[rolled][0]
    reached, last = 0.0, outcomes[0][0]
    for action, chance in outcomes:
        reached, last = reached + chance, action if chance else last
        if rolled < reached * _FACES:
            break
    return last
