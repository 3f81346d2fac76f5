"""The contract between a game and everything that plays, shows, stores or rates it.

A game is a set of pure functions over frozen values (`msgspec.Struct(frozen=True)`). Random events are moves, so a game
never draws. A game builds a view from the things that its seat may know, so it never has to hide anything.
"""

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeAlias, TypeVar, runtime_checkable

import msgspec

from referee.core.outcome import Outcome, Seat, Side

O = TypeVar("O")  # options  # noqa: E741 - the letter stands beside four others
S = TypeVar("S")  # state
A = TypeVar("A")  # action
V = TypeVar("V")  # view
E = TypeVar("E")  # event


class Decide(msgspec.Struct, frozen=True):
    """These seats must choose. Several seats choose sealed: no seat hears anything before all have chosen."""

    seats: tuple[Seat, ...]


class InFull(msgspec.Struct, frozen=True):
    """Marks a type in `Annotated`: bots that read lines get what `show` returns, a `kind`, instead of the value, an id.

    `id_of` gives the id again. JSON schemas need that type, too (`msgspec.Meta`).
    """

    show: Callable[[Any], Any]
    kind: type
    id_of: Callable[[Any], Any]


MOST_DRAWN = 100_000
"""A draw of more numbers is a mistake. It would take long, and much memory."""


class Shuffle(msgspec.Struct, frozen=True):
    """A permutation of `range(count)` must be drawn. `label` is unique in the match."""

    label: str
    count: int


class Roll(msgspec.Struct, frozen=True):
    """`count` numbers in `range(faces)` must be drawn. `label` is unique in the match."""

    label: str
    faces: int
    count: int = 1


class Over(msgspec.Struct, frozen=True):
    """The match has ended."""

    outcome: Outcome


Awaiting: TypeAlias = Decide | Shuffle | Roll | Over


Past: TypeAlias = tuple[tuple[tuple[Any, ...], Any], ...]
"""The finished decisions of a seat, oldest first: the events that it heard before each, and its action."""


class Information(msgspec.Struct, frozen=True):
    """All that a seat has learned in a match when it must choose. Equal information is the same to its player.

    Attributes:
        options: the game's options.
        seats: how many players there are.
        seat: the seat that must choose.
        past: its finished decisions; None if the match began in a given position, where more was heard before.
        heard: the events that it heard since its last decision, oldest first.
        view: the position as the seat may know it.
        legal: the actions that it may choose from.
    """

    options: Any
    seats: int
    seat: Seat
    past: Past | None
    heard: tuple[Any, ...]
    view: Any
    legal: tuple[Any, ...]

    @property
    def events(self) -> tuple[Any, ...]:
        """All events that the seat has heard, oldest first."""
        return tuple([event for events, _ in self.past or () for event in events]) + self.heard


class RandomNumbers(Protocol):
    """A source of random numbers: `random.Random`, or a generator of numpy."""

    def random(self) -> float:
        """The next number, from 0 to below 1."""


class Game(Protocol[O, S, A, V, E]):
    """The rules of one game. All methods are pure; all values are frozen.

    Attributes:
        name: the one spelling used everywhere, such as `agent-avenue`.
        rules_version: raised whenever an old transcript would be judged differently.
        endings: every way a match can end by the rules.
        options_type: a frozen `msgspec.Struct` with a default for every field; making one validates it.
        varieties: every choice of options worth trying, all different. Random play, tests and benchmarks go through
            them, each with every number of players that fits.
        draw_probability: how often two equal sides draw, at least 0.001 and below 1. It tells the rating how much a
            draw says: the likelier draws are, the less. It is never 0, even if the rules have no draws: when both sides
            commit a fault, both are last, and an impossible draw would have an infinite message. If the rules have no
            draws, 0.01 hardly changes what wins say (the margin is 0.02 of a performance's deviation), and a draw can
            be computed: it leaves about a hundred-thousandth of the variance of a difference, well within the digits
            of a float. If nobody knows, use 0.1 (TrueSkill's default).
    """

    name: str
    rules_version: int
    endings: tuple[str, ...]
    options_type: type[O]
    varieties: tuple[O, ...]
    draw_probability: float

    def seats(self, options: O) -> tuple[int, ...]:
        """The numbers of players that fit these options."""

    def sides(self, options: O, seats: int) -> tuple[Side, ...]:
        """The sides that are fixed before play; empty if there are none."""

    def deals_sides(self, options: O) -> bool:
        """Whether luck decides who belongs to which side. Then the result of a match can give its luck away."""

    def setup(self, options: O, seats: int) -> S:
        """The position before anything is drawn or chosen."""

    def awaiting(self, state: S) -> Awaiting:
        """The next thing that the position needs: choices of seats, a draw of luck, or nothing."""

    def legal(self, state: S, seat: Seat) -> tuple[A, ...]:
        """The actions of `seat`, which must choose; never empty. Nothing hidden affects their order."""

    def luck(self, state: S, drawn: tuple[int, ...]) -> tuple[S, tuple[E, ...]]:
        """The position after the draw that `awaiting` asked for."""

    def apply(self, state: S, choices: Mapping[Seat, A]) -> tuple[S, tuple[E, ...]]:
        """The position after every seat that had to choose chose a legal action."""

    def is_whole(self, state: S) -> bool:
        """Whether everything in the box is still there, and nothing else. This must hold in every position."""

    def view(self, state: S, seat: Seat) -> V:
        """The position as `seat` may know it, built up from what the seat may know."""

    def heard(self, event: E, seat: Seat) -> E | None:
        """The part of an event that `seat` hears: all of it, a part of it, or nothing (None)."""

    def describe(self, event: E) -> str:
        """The event in a sentence for people. It says everything that the event holds."""

    def describe_action(self, action: A) -> str:
        """The action in a few words for people."""

    def describe_view(self, view: V) -> str:
        """The view as a few lines of text for people."""


AnyGame: TypeAlias = Game[Any, Any, Any, Any, Any]


@runtime_checkable
class Worlds(Protocol):
    """A part of the contract that a game may leave out: the other positions that a seat cannot tell from the true one.

    The hidden things that the seat cannot know are dealt anew, as if the players had chosen blindly: every whole
    position that fits what the seat knows is equally likely. Only what the seat knows has any effect on the result.
    """

    def resample(self, state: Any, seat: Seat, rng: RandomNumbers) -> Any:
        """Another whole position, with the same view and the same legal actions for `seat`.

        Raises:
            WrongUse: the game cannot do it for this position.
        """

    def reconstruct(self, information: Information) -> Any:
        """Some whole position with what `information` says; `resample` makes a fair one of it."""


@runtime_checkable
class BlindChoices(Protocol):
    """A part of the contract that a game with equal cards should have, so that its other worlds can be tested."""

    def ways(self, state: Any, seat: Seat, action: Any) -> int:
        """In how many ways a player who does not look at the own cards chooses this legal action. Usually it is 1."""


@runtime_checkable
class Outlook(Protocol):
    """A part of the contract that a game may leave out: how well each seat stands in a position.

    It is for those who look at a match afterwards, so it may use hidden things. It is never sent to a bot.
    """

    def outlook(self, state: Any) -> tuple[float, ...]:
        """By seat, how likely it is to be first in the end, from 0 to 1. Once the match is over, exactly 0 or 1."""


@runtime_checkable
class ScoresBounded(Protocol):
    """A part of the contract that a game with scores may leave out: which scores there can be."""

    def score_range(self, options: Any, seats: int) -> tuple[float, float]:
        """The lowest and the highest score that a seat can have at the end; the first is below the second."""


@runtime_checkable
class Printed(Protocol):
    """A part of the contract that a game may leave out: what is printed on its cards and other components."""

    @property
    def printed(self) -> Mapping[Any, Mapping[Any, msgspec.Struct]]:
        """By enumeration, for each of its members. The schema of the game has it."""


@runtime_checkable
class RulesInWords(Protocol):
    """A part of the contract that a game may leave out: its rules in words."""

    def rules_text(self, options: Any, seats: int) -> str:
        """How the game is played with these options by so many players, for readers who do not know it.

        It has at most 1,500 words, and names things as the other words of the game do.
        """
