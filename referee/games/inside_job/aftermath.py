"""The steps after a trick, in the order of IJ-16, to the end of the game.

The first step that ends the game ends it (IJ-41). Then it follows which seats have won, and which of them together
(IJ-39).
"""

from collections.abc import Callable
from typing import NamedTuple

from msgspec.structs import replace

from referee.core.outcome import Outcome, Seat, Side
from referee.games.inside_job.cast import Cast, Dealt, cast, dealt
from referee.games.inside_job.common import Common, OpenSeat
from referee.games.inside_job.conditions import Trick
from referee.games.inside_job.ending import Camp, Ending
from referee.games.inside_job.missions import MissionId, holds
from referee.games.inside_job.moves import Event, Judged, Revealed, RolesShown, WonTrick
from referee.games.inside_job.role import Final, Turn, camp_of, wins
from referee.games.inside_job.state import State, Step
from referee.games.inside_job.tricks import begin_trick, complete


def end(state: State, ending: Ending) -> Step:
    """The game is over. All roles are shown (IJ-17), which does not count as revealing and changes nothing (IJ-42)."""
    final = Final(ending, dealt(state.roles).roles, state.common)
    return replace(state, phase="over", outcome=outcome(final)), (RolesShown(state.roles),)


def outcome(final: Final) -> Outcome:
    """The outcome: all winners share the first place, and all others share the place after them (IJ-39)."""
    won = [wins(final, seat) for seat in range(len(final.roles))]
    places = tuple(1 if has_won else won.count(True) + 1 for has_won in won)
    return Outcome(final.ending, places, _sides(final))


def _sides(final: Final) -> tuple[Side, ...]:
    """The agents; the Insider, with a seat that turned out to win with it (IJ-37); and neutrals, each alone."""
    seats = range(len(final.roles))
    insider = next(role for role in final.roles if role.is_insider)
    agents = Side(Camp.AGENTS.value, tuple(seat for seat in seats if camp_of(final, seat) is Camp.AGENTS))
    others = Side(insider.id, tuple(seat for seat in seats if camp_of(final, seat) is Camp.INSIDER))
    neutrals = tuple(Side(role.id, (seat,)) for seat, role in enumerate(final.roles) if role.neutral)
    return (agents, others, *neutrals)


class Scene(NamedTuple):
    """The facts that the steps read and do not change.

    Attributes:
        cast: the cast of the game.
        dealt: the roles as they were dealt.
        mission: the mission of the trick.
        trick: the complete trick.
        winner: the seat that won the trick.
    """

    cast: Cast
    dealt: Dealt
    mission: MissionId
    trick: Trick
    winner: Seat


def finish_trick(state: State) -> Step:
    """All steps after the last card of a trick, up to the next decision."""
    scene = _scene(state)
    turn = Turn(state.common)
    events: list[Event] = [WonTrick(scene.winner)]
    for step in _STEPS:
        turn = step(scene, turn.common)
        events += turn.events
        if turn.ending:
            break
    played = (*state.played, *[it.card for it in state.common.laid])
    after = replace(state, common=turn.common, played=played)
    after, new_events = end(after, turn.ending) if turn.ending else _go_on(after, scene.cast)
    return after, (*events, *new_events)


def _scene(state: State) -> Scene:
    common, seats = state.common, len(state.hands)
    if common.mission is None:
        raise ValueError("a trick without a mission")
    trick = complete(common.laid, common.mission)
    winner = (common.leader + trick.winner) % seats
    return Scene(cast(state.options.roles, seats), dealt(state.roles), common.mission, trick, winner)


def _judge_mission(scene: Scene, common: Common) -> Turn:
    """A completed mission is kept and counted; a failed one leaves the game face up (IJ-15)."""
    done = holds(scene.mission, scene.trick)
    if done:
        after = replace(common, completed=(*common.completed, scene.mission))
    else:
        after = replace(common, failed=(*common.failed, scene.mission))
    return Turn(after, (Judged(scene.mission, done),))


def _hand_out_tokens(scene: Scene, common: Common) -> Turn:
    """Clear the table. The winner leads next (IJ-10) and collects tokens as its role says (IJ-15)."""
    wagered = sum(scene.trick.tokens)
    cleared = replace(common, supply=common.supply + wagered, leader=scene.winner, mission=None, laid=())
    return scene.dealt.roles[scene.winner].collect(cleared, scene.winner, wagered)


def _listen_in(scene: Scene, common: Common) -> Turn:
    """End the game if the Wired Agent holds too many tokens (IJ-31)."""
    for seat, test in scene.dealt.tested:
        if ending := test(common.seats[seat].tokens):
            return Turn(common, ending=ending)
    return Turn(common)


def _reveal(scene: Scene, common: Common) -> Turn:
    """A seat with enough tokens must reveal its role (IJ-17). Only the winner gains tokens: at most one seat does."""
    seat, own = scene.winner, common.seats[scene.winner]
    if own.revealed or own.tokens < scene.cast.reveals_at:
        return Turn(common)
    role = scene.dealt.roles[seat]
    seats = list(common.seats)
    seats[seat] = OpenSeat(own.tokens, role.id, revealed=True)
    turn = role.when_revealed(replace(common, seats=tuple(seats)), seat)
    return Turn(turn.common, (Revealed(seat, role.id), *turn.events), turn.ending)


def _let_the_insider_win(scene: Scene, common: Common) -> Turn:
    """The Insider may win. This step is before that of the agents (IJ-16)."""
    seat = scene.dealt.insider
    return Turn(common, ending=scene.dealt.roles[seat].test_as_insider(common, seat))


def _let_the_agents_win(scene: Scene, common: Common) -> Turn:
    """The agents win if enough missions are completed (IJ-03)."""
    enough = len(common.completed) >= scene.cast.missions_to_win
    return Turn(common, ending=Ending.MISSIONS if enough else None)


_STEPS: tuple[Callable[[Scene, Common], Turn], ...] = (
    _judge_mission,
    _hand_out_tokens,
    _listen_in,
    _reveal,
    _let_the_insider_win,
    _let_the_agents_win,
)


def _go_on(state: State, settled: Cast) -> Step:
    """Go on with talk, if it is due after this trick (IJ-18), or else with the next trick or the vote."""
    last = state.common.trick == settled.tricks
    if state.options.talk == "every_trick" or (last and state.options.talk == "before_vote"):
        return replace(state, phase="talk"), ()
    return after_talk(state, settled)


def after_talk(state: State, settled: Cast) -> Step:
    """Go on with the next trick, or after the last one with the vote (IJ-20)."""
    if state.common.trick < settled.tricks:
        return begin_trick(state)
    return replace(state, phase="vote"), ()
