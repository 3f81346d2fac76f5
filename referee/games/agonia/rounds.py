"""The rounds: what comes before the first, what a round consists of, and how the counter moves.

Before the first round come characters, the first player, the start cells, cards and enemy tokens, in this order (AG-60;
AG-02, AG-20, AG-21, AG-22, AG-51). Rounds follow AG-22, AG-38, AG-41 and AG-52.
"""

from msgspec.structs import replace

from referee.core.game import Roll, Shuffle
from referee.core.outcome import Seat
from referee.games.agonia.box import cards, characters, enemies
from referee.games.agonia.box.board import DIE, NOWHERE, cells_in
from referee.games.agonia.box.cards import EVENTS, Cards, card_of, without_card
from referee.games.agonia.box.characters import Character
from referee.games.agonia.deck import round_of_draws
from referee.games.agonia.enemies.spawning import has_tokens
from referee.games.agonia.position.actions import Action, Go, go
from referee.games.agonia.position.agenda import (
    BeginAdvance,
    BeginRound,
    Cast,
    Deal,
    EndRound,
    First,
    Pile,
    Spawning,
    Start,
    Turn,
)
from referee.games.agonia.position.events import Dealt, Event, OrderSet, RolledForFirst, RoundBegan, WasCast
from referee.games.agonia.position.options import Options
from referee.games.agonia.position.state import (
    Ending,
    Progress,
    SeatState,
    State,
    board_of,
    done,
    ended,
    is_besieged,
    is_cleared,
    with_seat,
)

_OPENING_HAND = 3  # AG-22


def setup(options: Options, seats: int) -> State:
    """The position before anything is drawn. It has characters only if the options name them."""
    everybody = tuple(range(seats))
    ready = (First(everybody, 1), Deal(), Pile(), BeginRound())
    return State(
        options=options,
        last=last_cell(options, seats),
        order=everybody,
        agenda=ready if options.cast else (Cast(), *ready),
        seats=_seated(options.cast),
        deck=_undealt(options.cast),
        pile=enemies.PILE,
    )


def last_cell(options: Options, players: int) -> int:
    """The last cell of the counter (AG-20)."""
    return options.rounds or (10 if players <= 3 else 12)


def _seated(cast: tuple[Character, ...]) -> tuple[SeatState, ...]:
    """The players, each with its own weapon on the table. They stand nowhere yet."""
    return tuple(SeatState(it, NOWHERE, weapon=int(characters.PRINTS[it].weapon)) for it in cast)


def _undealt(cast: tuple[Character, ...]) -> Cards:
    """All cards except the weapons that lie on the table (AG-51)."""
    left = cards.DECK
    for character in cast:
        left = without_card(left, int(characters.PRINTS[character].weapon))
    return left


def shuffle_characters(_state: State, _step: Cast) -> Shuffle:
    """Shuffle all characters."""
    return Shuffle("characters", len(Character))


def cast(state: State, _step: Cast, order: tuple[int, ...]) -> Progress:
    """Give the first shuffled characters to the seats, one each."""
    characters_ = tuple(Character)
    drawn = tuple(characters_[number] for number in order[: len(state.order)])
    return done(state, seats=_seated(drawn), deck=_undealt(drawn)), (WasCast(drawn),)


def shuffle_cards(state: State, _step: Deal) -> Shuffle:
    """Shuffle all cards that do not lie on the table. Sorted before the shuffle."""
    return Shuffle("cards", len(state.deck))


def dealt(state: State, _step: Deal, order: tuple[int, ...]) -> Progress:
    """Deal three cards to each seat, in seat order. Events in between go to the discards (AG-22)."""
    deck = tuple(state.deck[card] for card in order)
    seats, events, discards = [], list[Event](), list[int]()
    for seat, own in enumerate(state.seats):
        hand, passed = _opening_hand(deck)
        deck = deck[len(hand) + len(passed) :]
        seats.append(replace(own, hand=tuple(sorted(hand))))
        events.append(Dealt(seat, hand, passed))
        discards += passed
    return done(state, deck=deck, seats=tuple(seats), discards=tuple(sorted(discards))), tuple(events)


def _opening_hand(deck: Cards) -> tuple[Cards, Cards]:
    """The first three cards that are not events, and the events drawn on the way."""
    hand, passed = list[int](), list[int]()
    for card in deck:
        if len(hand) == _OPENING_HAND:
            break
        (passed if card_of(card) in EVENTS else hand).append(card)
    return tuple(hand), tuple(passed)


def shuffle_enemies(_state: State, _step: Pile) -> Shuffle:
    """Shuffle all enemy tokens. Sorted before the shuffle."""
    return Shuffle("tokens", len(enemies.PILE))


def piled(state: State, _step: Pile, order: tuple[int, ...]) -> Progress:
    """The shuffled tokens are the pile."""
    return done(state, pile=tuple(enemies.PILE[token] for token in order)), ()


def roll_for_first(_state: State, step: First) -> Roll:
    """Roll a die for each of these seats."""
    return Roll(f"first/{step.roll}", DIE, len(step.seats))


def rolled_for_first(state: State, step: First, drawn: tuple[int, ...]) -> Progress:
    """The seat with the highest roll begins. Seats that tie for it roll again (AG-21)."""
    dice = tuple(die + 1 for die in drawn)
    rolled = RolledForFirst(step.seats, dice)
    tied = tuple(seat for seat, die in zip(step.seats, dice, strict=True) if die == max(dice))
    if len(tied) > 1:
        return done(state, First(tied, step.roll + 1)), (rolled,)
    first = tied[0]
    turn_order = state.order[first:] + state.order[:first]
    return done(state, Start(turn_order), order=turn_order, counter=1), (rolled, OrderSet(turn_order))


def starts(state: State, _step: Start, _seat: Seat) -> tuple[Action, ...]:
    """The cells of the start zone where nobody stands, sorted (AG-02)."""
    taken = [own.cell for own in state.seats]
    return tuple(go(cell) for cell in cells_in(board_of(state).start) if cell not in taken)


def started(state: State, step: Start, seat: Seat, action: Go) -> Progress:
    """The player stands on the cell, and the next one chooses. Raises ValueError if the cell is not in the zone."""
    if not board_of(state).start >> action.cell & 1:
        raise ValueError(f"no player can start on cell {action.cell}")
    left = step.seats[1:]
    seats = with_seat(state, seat, replace(state.seats[seat], cell=action.cell))
    return done(state, *((Start(left),) if left else ()), seats=seats), ()


SUPPLIED = (3, 6, 9)
"""When the counter arrives on one of these cells, every player draws a card (AG-22)."""


def begin(state: State, _step: BeginRound) -> Progress:
    """First the supply draws, if the counter has just arrived there (AG-52), then all turns, then the advance."""
    if is_besieged(state):
        return ended(state, Ending.SIEGE)
    order = state.order
    turns = tuple([Turn(seat) for seat in order])
    after = done(
        state,
        *(round_of_draws(state) if state.supplied else ()),
        *turns,
        BeginAdvance(),
        Spawning(),
        round=state.round + 1,
        rounds_on_last=state.rounds_on_last + (state.counter == state.last),
        rolls=0,
    )
    return after, (RoundBegan(after.round, after.counter),)


def end(state: State, step: EndRound) -> Progress:
    """The counter moves, and the next round begins."""
    moves = _counter_moves(state, step)
    counter = state.counter + moves
    after = done(
        state,
        BeginRound(),
        counter=counter,
        supplied=moves and counter in SUPPLIED,
        calm=False,
        stampedes=0,
    )
    return ended(after, Ending.VICTORY) if is_cleared(after) else (after, ())


def _counter_moves(state: State, step: EndRound) -> bool:
    """The counter stays on its last cell, or if no enemy had room. Calma tensa or a lack of tokens does not stop it."""
    if state.counter == state.last:
        return False
    return state.calm or state.spawned > step.spawned or not has_tokens(state)
