"""The course of a game: deal, tricks, vote. For each phase: its awaited decision, legal actions and effects.

Before play luck draws roles, hands and the deck of missions (IJ-01, IJ-02), and the Accomplice chooses its partner
(IJ-35).
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from referee.core.game import Awaiting, Decide, Over, Roll, Shuffle
from referee.core.outcome import Seat
from referee.games.inside_job import playing, tricks, voting
from referee.games.inside_job.cast import cast
from referee.games.inside_job.common import Common, OpenSeat
from referee.games.inside_job.moves import PARTNERS, Action, ChoosePartner, ChosePartner, GotHand, GotRole, Opened
from referee.games.inside_job.options import Options
from referee.games.inside_job.pieces import DECK, SETUPS, TOKENS
from referee.games.inside_job.roles import ROLES
from referee.games.inside_job.state import Phase, State, Step


def setup(options: Options, seats: int) -> State:
    """The position before anything is shuffled or dealt.

    Raises:
        ValueError: the options are not for this number of players.
    """
    settled = cast(options.roles, seats)
    return State(
        options=options,
        phase="roles",
        common=Common(seats=(OpenSeat(0),) * seats, supply=TOKENS),
        roles=settled.roles,
        hands=((),) * seats,
        put_away=((),) * seats,
        missions=settled.missions,
        unseen=DECK,
    )


def deal_roles(state: State, order: tuple[int, ...]) -> Step:
    """Deal everybody a role and a token, unless the role says otherwise. Some roles are shown (IJ-30)."""
    drawn = [ROLES[state.roles[card]] for card in order]
    seats = tuple(OpenSeat(it.starting_tokens, it.id if it.open_from_start else None) for it in drawn)
    common = Common(seats=seats, supply=TOKENS - sum(seat.tokens for seat in seats))
    role_events = [GotRole(seat, role.id) for seat, role in enumerate(drawn)]
    open_events = [Opened(seat, role.id) for seat, role in enumerate(drawn) if role.open_from_start]
    after = replace(state, phase="hands", common=common, roles=tuple(role.id for role in drawn))
    return after, (*role_events, *open_events)


def deal_hands(state: State, order: tuple[int, ...]) -> Step:
    """Deal the hands, in seat order; nobody sees the remaining cards (IJ-02)."""
    seats = len(state.hands)
    size = SETUPS[seats].hand
    cards = [DECK[card] for card in order]
    hands = tuple(tuple(sorted(cards[seat * size : (seat + 1) * size])) for seat in range(seats))
    after = replace(state, phase="missions", hands=hands, unseen=tuple(sorted(cards[seats * size :])))
    return after, tuple(GotHand(seat, size, hand) for seat, hand in enumerate(hands))


def shuffle_missions(state: State, order: tuple[int, ...]) -> Step:
    """Shuffle the missions, one deck for the whole game. Then an Accomplice chooses its partner (IJ-35)."""
    chooses = cast(state.options.roles, len(state.hands)).chooses_partner
    missions = tuple(state.missions[card] for card in order)
    return replace(state, phase="partner" if chooses else "leader", missions=missions), ()


def chooser(state: State) -> Seat:
    """The seat that chooses; everybody knows its role."""
    return next(seat for seat, role in enumerate(state.roles) if ROLES[role].chooses_partner)


def partners(state: State, seat: Seat) -> tuple[Action, ...]:
    """Every other seat."""
    return tuple(PARTNERS[other] for other in range(len(state.hands)) if other != seat)


def choose(state: State, choices: Mapping[Seat, ChoosePartner]) -> Step:
    """All see the chosen seat; only the Accomplice sees its role."""
    ((seat, action),) = choices.items()
    common = replace(state.common, partner=action.partner)
    return replace(state, phase="leader", common=common), (
        ChosePartner(seat, action.partner, state.roles[action.partner]),
    )


_ALONE = tuple(Decide((seat,)) for seat in range(5))


def awaiting(state: State) -> Awaiting:
    """Luck first; then tricks: in each the leader chooses a mission, and all play a card; then the vote."""
    if state.phase == "card":  # asked for so often that a look into the table would cost noticeable time
        return _ALONE[(state.common.leader + len(state.common.laid)) % len(state.hands)]
    return _AWAITED[state.phase](state)


def legal(state: State, seat: Seat) -> tuple[Action, ...]:
    """The legal actions of a seat, sorted within each kind."""
    return playing.cards(state, seat) if state.phase == "card" else _LEGAL[state.phase](state, seat)


def luck(state: State, drawn: tuple[int, ...]) -> Step:
    """The position after roles, cards or missions were shuffled, or the first leader was drawn."""
    return _LUCK[state.phase](state, drawn)


def apply(state: State, choices: Mapping[Seat, Action]) -> Step:
    """The position after every seat that had to choose has chosen."""
    return _STEPS[state.phase](state, choices)


def _over(state: State) -> Over:
    if state.outcome is None:
        raise ValueError("the game is over, but nobody has won")
    return Over(state.outcome)


_AWAITED: dict[Phase, Callable[[State], Awaiting]] = {
    "roles": lambda state: Shuffle("roles", len(state.roles)),
    "hands": lambda _: Shuffle("hands", len(DECK)),
    "missions": lambda state: Shuffle("missions", len(state.missions)),
    "partner": lambda state: _ALONE[chooser(state)],
    "leader": lambda state: Roll("leader", len(state.hands)),
    "mission": lambda state: _ALONE[state.common.leader],
    "talk": lambda state: Decide(tuple(range(len(state.hands)))),
    "vote": lambda state: Decide(voting.voters(state)),
    "over": _over,
}

_LEGAL: dict[Phase, Callable[[State, Seat], tuple[Action, ...]]] = {
    "partner": partners,
    "mission": tricks.choices,
    "talk": voting.suspicions,
    "vote": voting.ballots,
}

_LUCK: dict[Phase, Callable[[State, tuple[int, ...]], Step]] = {
    "roles": deal_roles,
    "hands": deal_hands,
    "missions": shuffle_missions,
    "leader": tricks.draw_leader,
}

_STEPS: dict[Phase, Callable[[State, Any], Step]] = {
    "partner": choose,
    "mission": tricks.choose,
    "card": playing.play,
    "talk": voting.talk,
    "vote": voting.vote,
}
