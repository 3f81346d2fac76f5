"""How well each seat stands, as one number: a formula that was fitted to matches of the sample bots."""

from math import exp

from referee.core.outcome import Seat, first_places
from referee.games.inside_job.cast import Cast, Dealt, cast, dealt
from referee.games.inside_job.ending import Camp
from referee.games.inside_job.pieces import SUIT, Suit
from referee.games.inside_job.roles import ACCOMPLICE, DAREDEVIL, DECOY, PROF_NO, SHADY, WIRED
from referee.games.inside_job.state import State
from referee.games.inside_job.tricks import complete

# Log odds that the agents win.
_START = -0.55
_MISSING_MISSION = -0.55  # for each one; at most one more than there are tricks left
_ONE_MISSION_MISSING = 0.80
_TRICK_LEFT = 0.28
_MISSING_TOKEN = 0.34  # for each token that the Insider lacks; at most one more than there are tricks left
_INSIDER_AHEAD = -0.77  # when the Insider's card is the highest of a complete trick
_INSIDER_AHEAD_TO_WIN = -0.86  # when the trick would also bring enough tokens
_BROKE_SUIT = 0.76  # the Insider shows a suit that it did not follow
_WITH_PROF_NO = 1.33
_PROF_NO_NEAR = 0.60  # Prof. No lacks two tokens or fewer to be found out
_ALL_BUT_ONE_OPEN = -1.70  # with Prof. No
_WITH_WIRED = -0.73
_WITH_DAREDEVIL = 0.53
_DAREDEVIL_NEAR = 0.91  # the Daredevil lacks two tokens or fewer
_DAREDEVIL_AHEAD = 0.51  # when its card is the highest of a complete trick that would bring enough tokens
_WITH_DECOY = -0.94
_WITH_SHADY = -0.54

# If the agents do not win: how often the Insider wins, and the Decoy. They can win together.
_INSIDER_BESIDE_DECOY, _DECOY = 0.67, 0.35


def outlook(state: State) -> tuple[float, ...]:
    """By seat, how likely it is to win.

    The numbers above come from a logistic regression over matches between sample bots; `benchmarks/outlook.py` says how
    well they hold.
    """
    if state.outcome:
        return first_places(state.outcome)
    deal, seats = dealt(state.roles), len(state.hands)
    agents = 1 / (1 + exp(-_log_odds(state, cast(state.options.roles, seats), deal)))
    chances = [_of_camp(state, deal, seat, agents) for seat in range(seats)]
    for seat, role in enumerate(deal.roles):  # a game has one neutral role at most (IJ-30)
        if role is SHADY:
            chances[seat] = 1 - chances[seat - 1]
        elif role is ACCOMPLICE:
            partner = state.common.partner
            chances[seat] = 0.5 if partner is None else chances[partner]
    return (sum(chances) / seats,) * seats if state.phase == "roles" else tuple(chances)


def _of_camp(state: State, deal: Dealt, seat: Seat, agents: float) -> float:
    """How likely the seat is to win, if it is not Tim Shady or the Accomplice."""
    role = deal.roles[seat]
    if role is DECOY:
        return _DECOY * (1 - agents)
    revealed = state.common.seats[seat].revealed
    if (role.camp_when_revealed if revealed and role.camp_when_revealed else role.camp) is Camp.AGENTS:
        return agents
    return (1 - agents) * (_INSIDER_BESIDE_DECOY if DECOY in deal.roles else 1)


def _log_odds(state: State, settled: Cast, deal: Dealt) -> float:
    """The log odds that the agents win."""
    common, seats = state.common, len(state.hands)
    left = settled.tricks - len(state.played) // seats
    missing = settled.missions_to_win - len(common.completed)
    total = _START + _MISSING_MISSION * min(missing, left + 1) + _TRICK_LEFT * left
    total += _ONE_MISSION_MISSING * (missing == 1)
    total += _BROKE_SUIT * _broke_suit(state, deal.insider)
    total += sum(value for role, value in _PRESENT if role in deal.roles)
    if PROF_NO in deal.roles:
        closed = sum(not open_seat.role for open_seat in common.seats) - 1
        total += _WITH_PROF_NO + _ALL_BUT_ONE_OPEN * (closed <= 1)
        total += _PROF_NO_NEAR * (_lacks(state, settled, deal.insider) <= 2)
    else:
        lacks = min(_lacks(state, settled, deal.insider), left + 1)
        total += _MISSING_TOKEN * lacks + _ahead(state, deal.insider, lacks, _INSIDER_AHEAD, _INSIDER_AHEAD_TO_WIN)
    if DAREDEVIL in deal.roles:
        daredevil = deal.roles.index(DAREDEVIL)
        lacks = _lacks(state, settled, daredevil)
        total += _DAREDEVIL_NEAR * (lacks <= 2) + _ahead(state, daredevil, lacks, 0, _DAREDEVIL_AHEAD)
    return total


_PRESENT = ((WIRED, _WITH_WIRED), (DAREDEVIL, _WITH_DAREDEVIL), (DECOY, _WITH_DECOY), (SHADY, _WITH_SHADY))


def _lacks(state: State, settled: Cast, seat: Seat) -> int:
    """How many tokens the seat lacks until it must reveal its role."""
    return settled.reveals_at - state.common.seats[seat].tokens


def _ahead(state: State, seat: Seat, lacks: int, ahead: float, to_win: float) -> float:
    """The log odds for a seat whose card is the highest so far, in proportion to the cards that lie there."""
    laid, mission, seats = state.common.laid, state.common.mission, len(state.hands)
    if not laid or mission is None:
        return 0
    trick = complete(laid, mission)
    if (state.common.leader + trick.winner) % seats != seat:
        return 0
    return len(laid) / seats * (ahead + to_win * (1 + sum(trick.tokens) >= lacks))


def _broke_suit(state: State, seat: Seat) -> bool:
    """Whether the seat played a card of a suit that it had not followed before: all can know then who it is."""
    seats, missed = len(state.hands), set[Suit]()
    for number, leader in enumerate(state.led[: len(state.played) // seats]):
        trick = state.played[number * seats : (number + 1) * seats]
        own, led = SUIT[trick[(seat - leader) % seats]], SUIT[trick[0]]
        if own in missed:
            return True
        if own is not led:
            missed.add(led)
    return False
