"""The Accomplice chooses its partner (IJ-35)."""

from collections.abc import Mapping

from msgspec.structs import replace

from referee.core.outcome import Seat
from referee.games.inside_job.moves import PARTNERS, Action, ChoosePartner, ChosePartner
from referee.games.inside_job.roles import ROLES
from referee.games.inside_job.state import State, Step


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
