"""What a seat knows in Inside Job (IJ-01, IJ-02, IJ-10 to IJ-12, IJ-17, IJ-31, IJ-35)."""

from typing import Any

from referee.check.random_play import ChoiceStep, LuckStep
from referee.core.outcome import Seat
from referee.games.inside_job.moves import Action
from referee.games.inside_job.state import State

_SHOWN_AFTER_THE_DEAL = ("wired", "accomplice")  # IJ-31, IJ-35
_SHOWN_AT = {3: 6, 4: 5, 5: 4}  # IJ-17: so many tokens show a role
_SHOWN_WITH_PROF_NO_AT = {4: 4, 5: 3}  # IJ-38


class InsideJobObserver:
    """A seat knows its own role, hand and missions, every card played, and the roles that were shown."""

    def kind(self, state: State) -> str:
        return state.phase

    def of_choice(self, state: State, mover: Seat, action: Action, seat: Seat) -> Any:  # noqa: ARG002
        """Everybody hears every choice, at the latest when all have chosen."""
        return action

    def of_luck(self, step: LuckStep, seat: Seat) -> tuple[Any, ...]:
        after: State = step.after
        match step.before.phase:
            case "roles":  # IJ-01
                shown = ((at, role) for at, role in enumerate(after.roles) if role in _SHOWN_AFTER_THE_DEAL)
                return (after.roles[seat], *shown)
            case "hands":  # IJ-02
                return tuple(sorted(after.hands[seat]))
            case "missions":
                return ()
        return (*step.drawn, *_looked_at(step, seat))

    def of_consequences(self, step: ChoiceStep, seat: Seat) -> tuple[Any, ...]:
        before, after = step.before, step.after
        if before.phase == "partner":  # IJ-35
            return tuple(after.roles[chosen.partner] for mover, chosen in step.choices.items() if mover == seat)
        return (*_looked_at(step, seat), *_shown_roles(after))


def _looked_at(step: LuckStep | ChoiceStep, seat: Seat) -> tuple[Any, ...]:
    """The missions that the seat looks at, if it leads the trick that begins (IJ-11)."""
    begins = len(step.after.missions) < len(step.before.missions)
    return tuple(sorted(step.before.missions[:2])) if begins and step.after.common.leader == seat else ()


def _shown_roles(state: State) -> tuple[Any, ...]:
    """The roles that tokens have shown; at the end, all roles (IJ-17)."""
    if state.phase == "over":
        return state.roles
    at = (_SHOWN_WITH_PROF_NO_AT if "prof_no" in state.roles else _SHOWN_AT)[len(state.roles)]
    if state.common.laid:
        return ()
    return tuple((seat, state.roles[seat]) for seat, it in enumerate(state.common.seats) if it.tokens >= at)
