"""The course of a game: deal, tricks, vote. For each phase: its awaited decision, legal actions and effects."""

from collections.abc import Callable, Mapping
from typing import Any

from referee.core.game import Awaiting, Decide, Over, Roll, Shuffle
from referee.core.outcome import Seat
from referee.games.inside_job import dealing, leading, partner, playing, voting
from referee.games.inside_job.moves import Action
from referee.games.inside_job.pieces import DECK
from referee.games.inside_job.state import Phase, State, Step

_ALONE = tuple(Decide((seat,)) for seat in range(5))

setup = dealing.setup


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


def _all(state: State) -> Decide:
    return Decide(tuple(range(len(state.hands))))


def _over(state: State) -> Over:
    if state.outcome is None:
        raise ValueError("the game is over, but nobody has won")
    return Over(state.outcome)


_AWAITED: dict[Phase, Callable[[State], Awaiting]] = {
    "roles": lambda state: Shuffle("roles", len(state.roles)),
    "hands": lambda _: Shuffle("hands", len(DECK)),
    "missions": lambda state: Shuffle("missions", len(state.missions)),
    "partner": lambda state: _ALONE[partner.chooser(state)],
    "leader": lambda state: Roll("leader", len(state.hands)),
    "mission": lambda state: _ALONE[state.common.leader],
    "talk": _all,
    "vote": lambda state: Decide(voting.voters(state)),
    "over": _over,
}

_LEGAL: dict[Phase, Callable[[State, Seat], tuple[Action, ...]]] = {
    "partner": partner.partners,
    "mission": leading.choices,
    "talk": voting.suspicions,
    "vote": voting.ballots,
}

_LUCK: dict[Phase, Callable[[State, tuple[int, ...]], Step]] = {
    "roles": dealing.deal_roles,
    "hands": dealing.deal_hands,
    "missions": dealing.shuffle_missions,
    "leader": leading.draw_leader,
}

_STEPS: dict[Phase, Callable[[State, Any], Step]] = {
    "partner": partner.choose,
    "mission": leading.choose,
    "card": playing.play,
    "talk": voting.talk,
    "vote": voting.vote,
}
