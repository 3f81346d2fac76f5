"""The draws of luck before play: roles, hands, the deck of missions (IJ-01, IJ-02)."""

from msgspec.structs import replace

from referee.games.inside_job.cast import cast
from referee.games.inside_job.common import Common, OpenSeat
from referee.games.inside_job.moves import GotHand, GotRole, Opened
from referee.games.inside_job.options import Options
from referee.games.inside_job.pieces import DECK, SETUPS, TOKENS
from referee.games.inside_job.role import Role
from referee.games.inside_job.roles import ROLES
from referee.games.inside_job.state import State, Step


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
    seats = tuple(_open_seat(role) for role in drawn)
    common = Common(seats=seats, supply=TOKENS - sum(seat.tokens for seat in seats))
    told = [GotRole(seat, role.id) for seat, role in enumerate(drawn)]
    shown = [Opened(seat, role.id) for seat, role in enumerate(drawn) if role.open_from_start]
    after = replace(state, phase="hands", common=common, roles=tuple(role.id for role in drawn))
    return after, (*told, *shown)


def _open_seat(role: Role) -> OpenSeat:
    return OpenSeat(role.starting_tokens, role.id if role.open_from_start else None)


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
