"""The end of a game: which seats have won, and which of them together (IJ-39)."""

from msgspec.structs import replace

from referee.core.outcome import Outcome, Side
from referee.games.inside_job.cast import dealt
from referee.games.inside_job.ending import Camp, Ending
from referee.games.inside_job.moves import RolesShown
from referee.games.inside_job.role import Final, camp_of, wins
from referee.games.inside_job.state import State, Step


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
