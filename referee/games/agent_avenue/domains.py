"""What views and actions can be, declared once for programs that learn (`referee.space`)."""

from collections.abc import Iterator

from referee.core.domains import (
    Declared,
    Domain,
    Domains,
    around,
    counts,
    fields_of,
    one_of,
    placed,
    relative,
    seen_from_own,
    series,
    value_name,
    whole_number,
)
from referee.games.agent_avenue import moves
from referee.games.agent_avenue.describe import describe_action
from referee.games.agent_avenue.marks import SeenMark
from referee.games.agent_avenue.pieces import DECK, DISCARDS_ALONE, PRINTS, SPACES, Agent, MarketCard
from referee.games.agent_avenue.state import Options, SideState
from referee.games.agent_avenue.teams import LINE_UPS, side_of
from referee.games.agent_avenue.view import SeatView, View

# A side recruits each of 38 agents at most once, and one more by Spycation (AA-24). Each moves a pawn by 12 at most
# (AA-20), and by 3 more from a home (AA-28).
_FARTHEST = 1000
# After a turn both pawns may have landed, and each card taken may let both land again (AA-22).
_LANDINGS = 2 + len(MarketCard)
_COPIES = {agent: print_.copies for agent, print_ in PRINTS.items()}
_CARDS = dict.fromkeys(MarketCard, 1)
_SINCE = range(DISCARDS_ALONE + 1)


def domains(options: Options, seats: int) -> Domains:
    """The domains of the game with these options and so many seats."""
    return Domains(
        fields_of(View, _fields(options, seats)),
        {action: seen_from_own(describe_action(action)) for action in _actions(options, seats)},
        action_seats={moves.Take: "taker"},
    )


def _fields(options: Options, seats: int) -> Declared:
    seat, side, simple = relative(seats), relative(2, side_of), options.mode == "simple"
    recruited: Declared = {
        "SideState.progress": whole_number(-_FARTHEST, _FARTHEST, scale=SPACES),
        "SideState.recruited": counts(_COPIES),
        "SideState.ongoing": None if simple else counts(_CARDS),
    }
    public: Declared = {
        "SeatView.hand_count": whole_number(0, len(DECK), scale=4),
        "SeatView.discard_count": whole_number(0, DISCARDS_ALONE, scale=DISCARDS_ALONE),
        "SeatView.marks": None if simple else _marks(),
    }
    left_out = {
        **({"View.market": None} if simple else {}),
        **({"View.teams": None} if seats == 2 else {}),
    }
    return {
        "View.seat": one_of(range(seats)),
        "View.turn": whole_number(0, len(DECK), scale=len(DECK)),
        "View.active_seat": seat,
        "View.hand": counts(_COPIES),
        "View.own_discards": series(one_of(Agent), DISCARDS_ALONE),
        "View.sides": around(fields_of(SideState, recruited), 2, side_of),
        "View.deck_count": whole_number(0, len(DECK), scale=len(DECK)),
        "View.seats": around(fields_of(SeatView, public), seats),
        "MarketView.pile_count": whole_number(0, len(MarketCard), scale=len(MarketCard)),
        "Market.offer": counts(_CARDS),
        "Market.discarded": counts(_CARDS),
        "Market.removed": counts(_COPIES),
        "Market.landed": series(side, _LANDINGS),
        "Market.taker": seat,
        "TeamsView.captains": around(seat, 2, side_of),
        "TeamsView.laying": series(seat, 2),
        **left_out,
    }


def _marks() -> Domain:
    """A seat's marks by agent and age. A mark is there or not, and counts cards (AA-31)."""
    count: Declared = {
        "SeenMark.agent": None,
        "SeenMark.count": whole_number(0, max(_COPIES.values()), scale=2),
        "SeenMark.discards_since": None,
    }
    places = {(agent, since): f"{value_name(agent)} {since} discards ago" for agent in Agent for since in _SINCE}
    return placed(fields_of(SeenMark, count), places, lambda mark: ((mark.agent, mark.discards_since),))


def _actions(options: Options, seats: int) -> Iterator[moves.Action]:
    yield from moves.PLAYS.values()
    yield from moves.DISCARDS.values()
    yield from moves.RECRUITS
    if LINE_UPS[options.line_up].partners != tuple(range(seats)):
        for lays in moves.LAYS.values():
            yield from lays.values()
        yield moves.HAND_OVER
    if options.mode == "advanced":
        yield from (take for (_, taker), take in moves.TAKES.items() if taker is None or taker < seats)
        yield from moves.CHOICES.values()
        yield from moves.AGAIN
