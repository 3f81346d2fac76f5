"""Inside Job for the properties that every game must have."""

from collections.abc import Mapping
from random import Random

from referee.check.random_play import Choose
from referee.core.outcome import Seat
from referee.games.inside_job import moves, rules
from referee.games.inside_job.ending import Ending
from referee.games.inside_job.moves import (
    Action,
    ChooseMission,
    ChosePartner,
    Event,
    LookedAt,
    PlayCard,
    Revealed,
    RolesShown,
)
from referee.games.inside_job.options import Options, read_roles
from referee.games.inside_job.roles import DAREDEVIL, DECOY, PROF_NO, ROLES, WIRED
from referee.games.inside_job.state import State
from tests.games.inside_job.worlds import Shown, another_world

ACTIONS: tuple[Action, ...] = (
    *moves.PARTNERS.values(),
    *moves.CHOICES.values(),
    *moves.PLAIN.values(),
    *moves.WAGERED.values(),
    *moves.SUSPECTS.values(),
    *moves.VOTES.values(),
)
"""Every action there is."""


class InsideJobKit:
    """What a seat cannot know: roles, hands, unseen cards, missions (see `worlds`). Everybody hears every choice."""

    tables: tuple[tuple[Options, int], ...] = (
        (Options(talk="every_trick"), 3),
        (Options(), 4),
        (Options(talk="none", leader_wagers=False), 5),
        (Options(roles="paranoid,decoy", talk="every_trick"), 5),
        (Options(roles="daredevil,sleeper"), 4),
        (Options(roles="accomplice,prof_no"), 5),
        (Options(roles="wired,shady"), 4),
        (Options(roles="paranoid,prof_no"), 4),
    )
    # The partner, 11 tricks of three players (mission, three cards, talk), the vote. More players have fewer tricks.
    longest = 1 + 9 * (1 + 5 + 1) + 1
    seekers: tuple[Choose, ...] = ()

    def endings(self, options: Options, seats: int) -> set[str]:
        special = read_roles(options.roles)
        found: set[str] = {Ending.MISSIONS, Ending.INSIDER_ACCUSED, Ending.OTHER_ACCUSED, Ending.VOTE_TIED}
        found |= {Ending.PROF_NO_REVEALED, Ending.ALL_OTHERS_OPEN} if PROF_NO in special else {Ending.TOKENS}
        found |= {Ending.WIRED} if WIRED in special else set()
        found |= {Ending.DAREDEVIL} if DAREDEVIL in special else set()
        if DECOY in special:
            found |= {Ending.DECOY_ACCUSED, Ending.INSIDER_TIED_WITH_DECOY, Ending.TIED_WITH_DECOY}
        # Three random players never complete nine missions, and hardly ever seven if one is the Wired Agent.
        return found - ({Ending.MISSIONS} if seats == 3 or WIRED in special else set())

    def redraw(self, state: State, seat: Seat, drawn: tuple[int, ...], rng: Random) -> tuple[int, ...]:
        if state.phase == "leader":
            return drawn
        if state.phase == "roles":
            dealt = [ROLES[state.roles[card]] for card in drawn]
            return _shuffled(
                drawn, [[at for at, role in enumerate(dealt) if at != seat and not role.open_from_start]], rng
            )
        if state.phase == "hands":
            size = rules.luck(state, drawn)[0].hands
            own = range(seat * len(size[0]), (seat + 1) * len(size[0]))
            return _shuffled(drawn, [[*own], [at for at in range(len(drawn)) if at not in own]], rng)
        return _shuffled(drawn, [[*range(len(drawn))]], rng)

    def redeal(self, state: State, seat: Seat, rng: Random) -> State:
        return another_world(state, seat, rng, Shown())

    def elsewhere(
        self, state: State, seat: Seat, choices: Mapping[Seat, Action], rng: Random
    ) -> tuple[State, Mapping[Seat, Action]]:
        return another_world(state, seat, rng, _shown(state, seat, choices)), choices


def _shuffled(drawn: tuple[int, ...], groups: list[list[int]], rng: Random) -> tuple[int, ...]:
    """The same draws, but within each group their places are shuffled."""
    again = list(drawn)
    for places in groups:
        for at, other in zip(places, rng.sample(places, len(places)), strict=True):
            again[at] = drawn[other]
    return tuple(again)


def _shown(state: State, seat: Seat, choices: Mapping[Seat, Action]) -> Shown:
    """What these choices, and what follows from them, tell a seat."""
    events = rules.apply(state, choices)[1]
    others = [action for mover, action in choices.items() if mover != seat]
    return Shown(
        roles=frozenset(at for event in events for at in _roles_in(event, seat)),
        played=tuple(action.card for action in others if isinstance(action, PlayCard)),
        chosen=next((action.mission for action in others if isinstance(action, ChooseMission)), None),
        next_missions=2 * any(isinstance(event, LookedAt) and event.seat == seat for event in events),
    )


def _roles_in(event: Event, seat: Seat) -> tuple[Seat, ...]:
    """The seats whose roles an event reveals."""
    match event:
        case RolesShown(roles):
            return tuple(range(len(roles)))
        case Revealed(revealed, _):
            return (revealed,)
        case ChosePartner(accomplice, partner, _) if accomplice == seat:
            return (partner,)
    return ()
