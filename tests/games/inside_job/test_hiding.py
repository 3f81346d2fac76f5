"""What a seat can and cannot tell from what it is sent."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from referee.core.game import AnyGame, Decide
from referee.core.outcome import Seat
from referee.games.inside_job.options import Options
from referee.games.inside_job.state import State
from tests.games.inside_job.table import GAME, Table
from tests.games.walks import Chosen, anyhow, walk

TABLES = [
    (Options(), 3),
    (Options(roles="wired,paranoid", talk="every_trick"), 4),
    (Options(roles="accomplice,prof_no"), 5),
    (Options(roles="daredevil,decoy"), 5),
    (Options(roles="shady,sleeper"), 4),
]


def sent(seat: Seat, state: State) -> Mapping[str, Any]:
    """What a seat that is not asked gets of a position."""
    return {"view": GAME.view(state, seat), "awaited": GAME.awaiting(state)}


@pytest.mark.parametrize(("options", "seats"), TABLES)
def test_ij_12_the_same_choice_made_by_another_role_looks_the_same_to_all_others(options: Options, seats: int) -> None:
    """The Insider and an agent swap roles while one of them chooses what both may choose."""
    seen = 0
    for step in decisions(options, seats, 40):
        insider = next(at for at, role in enumerate(step.before.roles) if role in ("insider", "prof_no"))
        for agent in [at for at, role in enumerate(step.before.roles) if role == "agent"]:
            if step.after.phase != "over" and step.after.common.seats[agent].role is None:
                swapped = with_roles_swapped(step.before, insider, agent)
                seen += told_alike(step, swapped, insider, agent)
    assert seen > 500


def told_alike(step: Chosen, swapped: State, insider: Seat, agent: Seat) -> bool:
    """Whether the choices can be made in the other world as well; if so they must be told alike there."""
    if not all(action in GAME.legal(swapped, seat) for seat, action in step.choices.items()):
        return False
    after, events = GAME.apply(swapped, step.choices)
    for seat in range(len(swapped.hands)):
        knows = seat in (insider, agent) or step.before.roles[seat] == "accomplice"
        if not knows:
            assert sent(seat, step.after) == sent(seat, after)
            assert [GAME.heard(event, seat) for event in step.events] == [GAME.heard(event, seat) for event in events]
    return True


def decisions(options: Options, seats: int, matches: int) -> list[Chosen]:
    rng = Random(4)
    game: AnyGame = GAME
    steps = [step for _ in range(matches) for step in walk(game, options, seats, anyhow, rng)]
    return [step for step in steps if isinstance(step, Chosen)]


def with_roles_swapped(state: State, one: Seat, other: Seat) -> State:
    roles = list(state.roles)
    roles[one], roles[other] = roles[other], roles[one]
    return Table(state).goes_on(roles=tuple(roles)).state


@pytest.mark.parametrize(("options", "seats"), TABLES)
def test_ij_21_who_is_asked_hangs_on_what_is_open_alone(options: Options, seats: int) -> None:
    for step in decisions(options, seats, 10):
        awaited = GAME.awaiting(step.before)
        hidden = [at for at, seat in enumerate(step.before.common.seats) if seat.role is None]
        turned = list(step.before.roles)
        for at, role in zip(hidden, [step.before.roles[at] for at in hidden][::-1], strict=True):
            turned[at] = role
        assert GAME.awaiting(Table(step.before).goes_on(roles=tuple(turned)).state) == awaited


@pytest.mark.parametrize(("options", "seats"), TABLES)
def test_a_view_holds_no_card_and_no_role_that_its_seat_has_not_seen(options: Options, seats: int) -> None:
    for step in decisions(options, seats, 5):
        assert isinstance(GAME.awaiting(step.before), Decide)
        for seat in range(seats):
            view = GAME.view(step.before, seat)
            assert view.hand == step.before.hands[seat]
            assert view.role == step.before.roles[seat]
            opened = [role if it.role else None for role, it in zip(step.before.roles, view.common.seats, strict=True)]
            assert [it.role for it in view.common.seats] == opened
            assert all(it.role is None or it.revealed or it.role in ("wired", "accomplice") for it in view.common.seats)
