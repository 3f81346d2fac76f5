"""A trick: its leader looks at two missions and reveals one (IJ-10, IJ-11), and one card wins it (IJ-13, IJ-14)."""

from collections.abc import Mapping

from msgspec.structs import replace

from referee.core.outcome import Seat
from referee.games.inside_job.common import Laid
from referee.games.inside_job.conditions import Trick
from referee.games.inside_job.missions import MISSIONS, RISKY_IDS, MissionId
from referee.games.inside_job.moves import CHOICES, Action, ChooseMission, ChoseMission, LeaderDrawn, LookedAt
from referee.games.inside_job.pieces import SUIT, VALUE, Suit
from referee.games.inside_job.state import State, Step


def draw_leader(state: State, drawn: tuple[int, ...]) -> Step:
    """Note which seat leads the first trick (IJ-10)."""
    (seat,) = drawn
    after, events = begin_trick(replace(state, common=replace(state.common, leader=seat)))
    return after, (LeaderDrawn(seat), *events)


def begin_trick(state: State) -> Step:
    """The leader, who won the last trick or was drawn, looks at the top two missions (IJ-11)."""
    common = replace(state.common, trick=state.common.trick + 1)
    looked_at = tuple(sorted(state.missions[:2]))
    after = replace(
        state,
        phase="mission",
        common=common,
        missions=state.missions[2:],
        looked_at=looked_at,
        led=(*state.led, common.leader),
    )
    return after, (LookedAt(common.trick, common.leader, looked_at),)


def choices(state: State, _seat: Seat) -> tuple[Action, ...]:
    """Both missions, or only the risky ones if there are any (IJ-33); sorted."""
    risky = [mission for mission in state.looked_at if mission in RISKY_IDS]
    return tuple(CHOICES[mission] for mission in risky or state.looked_at)


def choose(state: State, chosen: Mapping[Seat, ChooseMission]) -> Step:
    """Reveal one mission. The other leaves the game, and only the leader knows which it was (IJ-11)."""
    ((leader, action),) = chosen.items()
    (other,) = (mission for mission in state.looked_at if mission != action.mission)
    put_away = list(state.put_away)
    put_away[leader] = (*put_away[leader], other)
    common = replace(state.common, mission=action.mission)
    chosen_so_far = (*state.chosen, action.mission)
    after = replace(state, phase="card", common=common, put_away=tuple(put_away), looked_at=(), chosen=chosen_so_far)
    return after, (ChoseMission(leader, action.mission, other),)


def complete(laid: tuple[Laid, ...], mission: MissionId) -> Trick:
    """The trick of these cards, the leader's first."""
    trump = MISSIONS[mission].trump
    values = tuple([VALUE[it.card] for it in laid])
    suits = tuple([trump if it.wager else SUIT[it.card] for it in laid])
    return Trick(
        values=values,
        suits=suits,
        tokens=tuple([it.wager for it in laid]),
        trump=trump,
        winner=_winner(values, suits, trump if trump in suits else SUIT[laid[0].card]),
    )


def _winner(values: tuple[int, ...], suits: tuple[Suit, ...], strongest: Suit) -> int:
    """The index of the highest card of the strongest suit; of equal cards, the later one (IJ-14)."""
    return max([(value, place) for place, value in enumerate(values) if suits[place] is strongest])[1]
