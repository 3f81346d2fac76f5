"""The course of a game: deal, turns, end."""

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from referee.core.game import Awaiting, Decide, Over, Roll, Shuffle
from referee.core.outcome import Outcome, Seat
from referee.games.agent_avenue.ending import Verdict, verdict
from referee.games.agent_avenue.market import gait
from referee.games.agent_avenue.moves import (
    FACE_DOWN,
    FACE_UP,
    RECRUITS,
    Action,
    Discard,
    Discarded,
    Drew,
    Event,
    Moved,
    Play,
    Played,
    Recruit,
    Recruited,
    SideBegan,
    plays,
    plays_and_discards,
)
from referee.games.agent_avenue.pieces import (
    DECK,
    DISCARDS_A_GAME,
    HAND_SIZE,
    Agent,
    Cards,
    with_card,
    without_card,
)
from referee.games.agent_avenue.state import Options, SeatState, SideState, State
from referee.games.agent_avenue.teams import LINE_UPS

_DEAL = Shuffle("deck", len(DECK))
_FIRST = Roll("first", 2)
_DECIDE = (Decide((0,)), Decide((1,)))


def setup(options: Options, seats: int) -> State:
    """Both pawns at home, the deck not yet shuffled, nobody with a card."""
    sides = LINE_UPS[options.line_up].sides
    return State(
        options=options,
        phase="deal",
        turn=0,
        active=0,
        following=1,
        laying=(0, 0),
        deck=DECK,
        seats=(SeatState(),) * seats,
        sides=(SideState(),) * len(sides),
    )


def awaiting(state: State) -> Awaiting:
    """The active player plays, the opponent recruits (AA-11); before that, the deal and the first side (AA-03)."""
    if state.phase == "play":
        return _DECIDE[state.active]
    if state.phase == "recruit":
        return _DECIDE[1 - state.active]
    if state.outcome is not None:
        return Over(state.outcome)
    return _DEAL if state.phase == "deal" else _FIRST


def legal(state: State, seat: Seat) -> tuple[Action, ...]:
    """Sorted by name: plays, then discards while any are left and the deck is not empty (AA-04); or the two slots."""
    if state.phase == "recruit":
        return RECRUITS
    own = state.seats[seat]
    if state.deck and len(own.discards) < DISCARDS_A_GAME:
        return plays_and_discards(own.hand)
    return plays(own.hand)


def luck(state: State, drawn: tuple[int, ...]) -> tuple[State, tuple[Event, ...]]:
    """The deck was shuffled and is dealt, or the first side was drawn (AA-03)."""
    if state.phase == "deal":
        return _deal(state, drawn)
    (first,) = drawn
    return replace(state, phase="play", turn=1, active=first, following=1 - first, laying=(first, first)), (
        SideBegan(first),
    )


def apply(state: State, choices: Mapping[Seat, Action]) -> tuple[State, tuple[Event, ...]]:
    """The position after the one seat that had to choose did. Raises ValueError if it cannot be done at all."""
    (action,) = choices.values()
    if isinstance(action, Play):
        return _play(state, action)
    if isinstance(action, Recruit):
        return _recruit(state, action)
    if isinstance(action, Discard):
        return _discard(state, action)
    raise NotImplementedError


def _deal(state: State, order: tuple[int, ...]) -> tuple[State, tuple[Event, ...]]:
    """Four cards to each seat, in seat order; the rest is the deck for good (AA-03)."""
    seats = list(state.seats)
    deck, events = _draw_up(seats, tuple(DECK[card] for card in order), range(len(seats)))
    return replace(state, phase="first", seats=tuple(seats), deck=deck), events


def _draw_up(seats: list[SeatState], deck: Cards, order: Iterable[Seat]) -> tuple[Cards, tuple[Event, ...]]:
    """Every seat in `order` draws up to four as far as the deck reaches; who has more keeps them (AA-05).

    What the seats drew is put into `seats`. Returns what is left of the deck, and the events.
    """
    events: tuple[Event, ...] = ()
    for seat in order:
        own = seats[seat]
        missing = HAND_SIZE - len(own.hand)
        if missing > 0 and deck:
            drawn, deck = deck[:missing], deck[missing:]
            seats[seat] = SeatState(tuple(sorted(own.hand + drawn)), own.discards)
            events = (*events, Drew(seat, len(drawn), drawn))
    return deck, events


def _discard(state: State, action: Discard) -> tuple[State, tuple[Event, ...]]:
    """One card away face down, one drawn; the turn goes on (AA-04)."""
    seats, seat, agent = list(state.seats), state.active, action.agent
    own, drawn = seats[seat], state.deck[0]
    hand = with_card(without_card(own.hand, agent), drawn)
    seats[seat] = SeatState(hand, (*own.discards, agent))
    events = (Discarded(seat, agent), Drew(seat, 1, (drawn,)))
    return replace(state, seats=tuple(seats), deck=state.deck[1:]), events


def _play(state: State, action: Play) -> tuple[State, tuple[Event, ...]]:
    """One card face up, one face down; then both draw, the active player first, before the choice (AA-05)."""
    seats, seat, up, down = list(state.seats), state.active, action.face_up, action.face_down
    own = seats[seat]
    seats[seat] = SeatState(without_card(without_card(own.hand, up), down), own.discards)
    deck, draws = _draw_up(seats, state.deck, (seat, 1 - seat))
    after = replace(state, phase="recruit", seats=tuple(seats), deck=deck, face_up=up, face_down=down)
    return after, (Played(seat, up, down), *draws)


def _recruit(state: State, action: Recruit) -> tuple[State, tuple[Event, ...]]:
    """The opponent takes the chosen card, the active side the other (AA-06); then the end step."""
    active, chooser = state.active, 1 - state.active
    up, down = state.face_up, state.face_down
    if up is None or down is None:
        raise ValueError("nothing was played that could be recruited")
    if action.slot is FACE_UP:
        chosen, left, left_slot = up, down, FACE_DOWN
    else:
        chosen, left, left_slot = down, up, FACE_UP
    theirs, their_move = _enlist(state.sides[chooser], chooser, chosen)
    own, own_move = _enlist(state.sides[active], active, left)
    events = (
        Recruited(chooser, action.slot, chosen),
        Recruited(active, left_slot, left),
        their_move,
        own_move,
    )
    sides = (own, theirs) if active == 0 else (theirs, own)
    return _end_turn(replace(state, sides=sides, face_up=None, face_down=None)), events


def _enlist(side: SideState, number: int, agent: Agent) -> tuple[SideState, Moved]:
    """The side with one more agent, its pawn moved by the symbol of that agent (AA-01, AA-07)."""
    recruited = with_card(side.recruited, agent)
    spaces = gait(()).spaces[agent][recruited.count(agent) - 1]
    progress = side.progress + spaces
    return SideState(progress, recruited), Moved(number, spaces, progress)


def _end_turn(state: State) -> State:
    """Conditions are tested here and only here (AA-08); with none met, the other side's turn begins."""
    result = verdict(state)
    if result is not None:
        return replace(state, phase="over", outcome=_outcome(state.options, result))
    return replace(
        state,
        phase="play",
        turn=state.turn + 1,
        active=1 - state.active,
        following=state.active,
        laying=(1 - state.active,) * 2,
    )


def _outcome(options: Options, result: Verdict) -> Outcome:
    places = (1, 2) if result.winner == 0 else (2, 1)
    return Outcome(ending=result.ending, places=places, sides=LINE_UPS[options.line_up].sides)
