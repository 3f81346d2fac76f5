"""The rules: a tiny game with a hidden card for every player. Change them step by step into your own.

Every round, each player gets a card that nobody else sees. In turn, each player stays or is out. A player who is out
pays 1 chip, a player who stays pays 2. The highest card that stayed takes all that was paid. If nobody stayed, all get
back what they paid. The cards that stayed are shown, the others never are. After the last round the most chips win.

A game is a set of pure functions over frozen values. It never draws a card itself: it asks for a shuffle, and gets the
result. `referee check-game starter-game` tests all of it.
"""

from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec.structs import replace

from referee.core.domains import Domains, around, fields_of, one_of, whole_number
from referee.core.game import Awaiting, Decide, Information, Over, RandomNumbers, Shuffle
from referee.core.outcome import Outcome, Seat, Side
from referee.core.seeds import shuffled

# Options: what an organizer can choose. Every option has a default, and its type says which values are allowed.


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options.

    Attributes:
        rounds: how many rounds there are.
        cards: the deck has one card of each number from 1 to this.
    """

    rounds: Annotated[int, msgspec.Meta(ge=1, le=50)] = 5
    cards: Annotated[int, msgspec.Meta(ge=3, le=20)] = 6


# The state: the whole position, with all that is hidden. Only this file looks at it.


class State(msgspec.Struct, frozen=True):
    """A position.

    Attributes:
        options: the options.
        chips: by seat, what the player has won or lost so far.
        round: the number of the round, from 0.
        cards: by seat, the card; empty before the deal.
        stays: the choices of this round so far, in turn order.
    """

    options: Options
    chips: tuple[int, ...]
    round: int = 0
    cards: tuple[int, ...] = ()
    stays: tuple[bool, ...] = ()

    @property
    def order(self) -> tuple[Seat, ...]:
        """The seats in turn order. Another one begins every round."""
        count = len(self.chips)
        return tuple((self.round + turn) % count for turn in range(count))


# Actions and events. Each is a struct with a tag, so its JSON names its kind: {"type":"Stay"}.


class Stay(msgspec.Struct, frozen=True, tag=True):
    """Pay 2, and compare cards."""


class Out(msgspec.Struct, frozen=True, tag=True):
    """Pay 1, and keep the card hidden."""


Action = Stay | Out


class Dealt(msgspec.Struct, frozen=True, tag=True):
    """A player got a card. Only this player hears it."""

    seat: Seat
    card: int


class Chose(msgspec.Struct, frozen=True, tag=True):
    """A player stayed, or is out."""

    seat: Seat
    stays: bool


class Shown(msgspec.Struct, frozen=True, tag=True):
    """A card that stayed was shown."""

    seat: Seat
    card: int


class Won(msgspec.Struct, frozen=True, tag=True):
    """A player took so many chips."""

    seat: Seat
    chips: int


Event = Dealt | Chose | Shown | Won


# The view: what one player may know. Build it up from what the player knows; never take the state and remove secrets.


class View(msgspec.Struct, frozen=True):
    """What a seat may know of a position.

    Attributes:
        seat: the seat.
        card: its card; 0 before the deal.
        cards: the highest number in the deck.
        round: the number of the round, from 0.
        rounds: how many rounds there are.
        chips: by seat, what the player has won or lost so far.
        stays: by seat, whether the player stays this round; None: the player has not chosen yet.
    """

    seat: Seat
    card: int
    cards: int
    round: int
    rounds: int
    chips: tuple[int, ...]
    stays: tuple[bool | None, ...]


class StarterGame:
    """The game. Referee calls these methods; the docstring of `referee.core.game.Game` says what each must do."""

    name = "starter-game"
    rules_version = 1  # raise it when the rules change, so that nobody misreads an old match
    endings: tuple[str, ...] = ("all_rounds_played",)
    options_type = Options
    # Choices of options that are worth testing.
    varieties: tuple[Options, ...] = (Options(), Options(rounds=1, cards=3))
    draw_probability = 0.1  # how often two equal players draw

    def seats(self, options: Options) -> tuple[int, ...]:
        """How many can play: every player needs a card, and one card stays in the deck."""
        return tuple(seats for seats in (2, 3, 4) if seats < options.cards)

    def sides(self, options: Options, seats: int) -> tuple[Side, ...]:  # noqa: ARG002 - everybody plays alone
        """No two players win together."""
        return ()

    def deals_sides(self, options: Options) -> bool:  # noqa: ARG002 - there are no sides
        """Luck never decides who plays with whom."""
        return False

    def setup(self, options: Options, seats: int) -> State:
        """The position before the first deal."""
        return State(options, (0,) * seats)

    # What happens next: luck, a decision, or the end.

    def awaiting(self, state: State) -> Awaiting:
        """A shuffle before each round, then the choice of each player in turn."""
        if state.round == state.options.rounds:
            return Over(Outcome("all_rounds_played", _places(state.chips), (), scores=state.chips))
        if not state.cards:
            return Shuffle(f"deal/{state.round}", state.options.cards)  # the label is unique in the match
        return Decide((state.order[len(state.stays)],))

    def luck(self, state: State, drawn: tuple[int, ...]) -> tuple[State, tuple[Event, ...]]:
        """Deal the cards: `drawn` is the shuffled deck, counted from 0."""
        cards = tuple(number + 1 for number in drawn[: len(state.chips)])
        return replace(state, cards=cards), tuple(Dealt(seat, card) for seat, card in enumerate(cards))

    def legal(self, state: State, seat: Seat) -> tuple[Action, ...]:  # noqa: ARG002 - always the same
        """What a player may choose."""
        return (Stay(), Out())

    def apply(self, state: State, choices: Mapping[Seat, Action]) -> tuple[State, tuple[Event, ...]]:
        """The position after a choice. `choices` has the action of every seat that was asked, here of one."""
        ((seat, action),) = choices.items()
        stays = isinstance(action, Stay)
        state = replace(state, stays=(*state.stays, stays))
        if len(state.stays) < len(state.chips):
            return state, (Chose(seat, stays),)
        after, events = _end_of_round(state)
        return after, (Chose(seat, stays), *events)

    def is_whole(self, state: State) -> bool:
        """Whether nothing was lost or made: no card is there twice, and the chips add up to 0."""
        return len(set(state.cards)) == len(state.cards) and sum(state.chips) == 0

    # What a seat may know.

    def view(self, state: State, seat: Seat) -> View:
        """The position as a seat may know it."""
        stays = dict(zip(state.order, state.stays, strict=False))
        return View(
            seat=seat,
            card=state.cards[seat] if state.cards else 0,
            cards=state.options.cards,
            round=state.round,
            rounds=state.options.rounds,
            chips=state.chips,
            stays=tuple(stays.get(at) for at in range(len(state.chips))),
        )

    def heard(self, event: Event, seat: Seat) -> Event | None:
        """The part of an event that a seat hears."""
        return None if isinstance(event, Dealt) and event.seat != seat else event

    # Words for people, and for games that nobody has drawn yet.

    def rules_text(self, options: Options, seats: int) -> str:
        """The rules for players who do not know them, such as language models."""
        return (
            f"# Starter game\n\n{seats} players play {options.rounds} rounds. The deck has the cards 1 to "
            f"{options.cards}. Every round, each player gets a card that nobody else sees. In turn, each player stays "
            "or is out. A player who is out pays 1 chip, a player who stays pays 2. The highest card that stayed takes "
            "all that was paid. If nobody stayed, all get back what they paid. The cards that stayed are shown. After "
            "the last round the most chips win.\n"
        )

    def describe(self, event: Event) -> str:
        """The event in a sentence."""
        match event:
            case Dealt(seat, card):
                return f"seat {seat} gets the card {card}"
            case Chose(seat, stays):
                return f"seat {seat} {'stays' if stays else 'is out'}"
            case Shown(seat, card):
                return f"seat {seat} shows the card {card}"
            case Won(seat, chips):
                return f"seat {seat} takes {chips} chips"

    def describe_action(self, action: Action) -> str:
        """The action in a few words."""
        return "stay" if isinstance(action, Stay) else "be out"

    def describe_view(self, view: View) -> str:
        """The view in a few lines."""
        words = {True: ", stays", False: ", is out", None: ""}
        players = [f"seat {at}: {chips:+} chips{words[view.stays[at]]}" for at, chips in enumerate(view.chips)]
        own = f"your card: {view.card} of {view.cards}" if view.card else "no cards now"
        return "\n".join([f"round {min(view.round + 1, view.rounds)} of {view.rounds}", *players, own])

    # For programs that learn. A game may leave these methods out.

    def score_range(self, options: Options, seats: int) -> tuple[float, float]:
        """The fewest and the most chips at the end: all stay in all rounds, and one player loses or wins each."""
        return -2 * options.rounds, 2 * (seats - 1) * options.rounds

    def domains(self, options: Options, seats: int) -> Domains:
        """What the fields of a view and the actions can be (`referee games starter-game --space`)."""
        chips = whole_number(-2 * options.rounds, 2 * (seats - 1) * options.rounds, scale=10)
        view = {
            "View.seat": None,  # the others are counted from the own one
            "View.card": whole_number(0, options.cards, scale=options.cards),
            "View.cards": None,
            "View.round": whole_number(0, options.rounds, scale=options.rounds),
            "View.rounds": None,
            "View.chips": around(chips, seats),
            "View.stays": around(one_of((True, False)), seats),
        }
        return Domains(fields_of(View, view), {Stay(): "stay", Out(): "be out"})

    # Other worlds: positions that a seat cannot tell from the true one. `check-game` finds leaks with them, and bots
    # that search need them. A game may leave both methods out; then `check-game` cannot test what it hides.

    def resample(self, state: State, seat: Seat, rng: RandomNumbers) -> State:
        """The position with the cards of the others dealt anew. The true ones have no effect on the result."""
        if not state.cards:
            return state
        own = state.cards[seat]
        deck = shuffled([card for card in range(1, state.options.cards + 1) if card != own], rng)
        return replace(state, cards=tuple(own if at == seat else deck[at] for at in range(len(state.cards))))

    def reconstruct(self, information: Information) -> State:
        """Some position in which the seat knows what `information` says."""
        view: View = information.view
        state = State(information.options, view.chips, view.round)
        stays = tuple(stays for at in state.order if (stays := view.stays[at]) is not None)
        others = [card for card in range(1, view.cards + 1) if card != view.card]
        cards = tuple(view.card if at == view.seat else others[at] for at in range(len(view.chips)))
        return replace(state, cards=cards, stays=stays)


def _end_of_round(state: State) -> tuple[State, tuple[Event, ...]]:
    """Compare the cards that stayed, and pay."""
    staying = [seat for seat, stays in zip(state.order, state.stays, strict=True) if stays]
    after = replace(state, round=state.round + 1, cards=(), stays=())
    if not staying:
        return after, ()
    winner = max(staying, key=lambda seat: state.cards[seat])
    paid = [2 if seat in staying else 1 for seat in range(len(state.chips))]
    chips = [had - own for had, own in zip(state.chips, paid, strict=True)]
    chips[winner] += sum(paid)
    shown = tuple(Shown(seat, state.cards[seat]) for seat in sorted(staying))
    return replace(after, chips=tuple(chips)), (*shown, Won(winner, sum(paid)))


def _places(chips: tuple[int, ...]) -> tuple[int, ...]:
    """By seat, 1 for the most chips; equal chips share a place."""
    return tuple(1 + sum(other > own for other in chips) for own in chips)


game = StarterGame()
"""The entry point in pyproject.toml names this."""
