"""What views and actions can be, declared once for programs that learn (`referee.space`)."""

from collections.abc import Iterator
from itertools import combinations_with_replacement

from referee.core.domains import (
    Declared,
    Domains,
    around,
    counts,
    fields_of,
    one_of,
    parts,
    relative,
    seen_from_own,
    series,
    whole_number,
)
from referee.games.inside_job import moves
from referee.games.inside_job.common import Laid, OpenSeat
from referee.games.inside_job.describe import CARDS, describe_action
from referee.games.inside_job.missions import MISSIONS
from referee.games.inside_job.options import Options
from referee.games.inside_job.pieces import DECK, SETUPS, SUIT, TOKENS, VALUE, Suit
from referee.games.inside_job.roles import ROLES
from referee.games.inside_job.view import View

_CARDS = dict.fromkeys(DECK, 1)
_MISSIONS = dict.fromkeys(MISSIONS, 1)


def domains(options: Options, seats: int) -> Domains:  # noqa: ARG001  # with all options the same
    """The domains of the game with so many seats."""
    return Domains(
        fields_of(View, _fields(seats)),
        {action: seen_from_own(describe_action(action)) for action in _actions(seats)},
        action_seats={moves.ChoosePartner: "partner", moves.Suspect: "suspect", moves.Vote: "ballots"},
    )


def _fields(seats: int) -> Declared:
    seat, role, mission, missions = (
        relative(seats),
        one_of(ROLES),
        one_of(MISSIONS),
        counts(_MISSIONS),
    )
    tokens, tricks = whole_number(0, TOKENS, scale=TOKENS), SETUPS[seats].tricks
    card = parts(
        {
            ": suit": (SUIT.__getitem__, one_of(Suit)),
            ": value": (VALUE.__getitem__, one_of(sorted(set(VALUE.values())))),
        }
    )
    public: Declared = {"OpenSeat.tokens": tokens, "OpenSeat.role": role}
    return {
        "View.seat": one_of(range(seats)),
        "View.role": role,
        "View.hand": counts(_CARDS, CARDS.values()),
        "View.put_away": missions,
        "View.looked_at": missions,
        "View.partner_role": role,
        "View.seats": around(fields_of(OpenSeat, public), seats),
        "View.supply": tokens,
        "View.trick": whole_number(0, tricks, scale=tricks),
        "View.leader": seat,
        "View.mission": mission,
        "View.laid": series(fields_of(Laid, {"Laid.card": card}), seats),
        "View.completed": missions,
        "View.failed": missions,
        "View.partner": seat,
    }


def _actions(seats: int) -> Iterator[moves.Action]:
    """Nobody chooses, suspects or votes for its own seat."""
    others = range(1, seats)
    yield from (moves.PARTNERS[seat] for seat in others)
    yield from moves.CHOICES.values()
    yield from moves.PLAIN.values()
    yield from moves.WAGERED.values()
    yield from (moves.SUSPECTS[suspect] for suspect in (None, *others))
    yield from (moves.VOTES[ballots] for count in range(3) for ballots in combinations_with_replacement(others, count))
