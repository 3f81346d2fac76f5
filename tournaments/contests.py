"""Which players meet in a match, as the rating sees it."""

from referee.core.outcome import Outcome
from tournaments.model import Fixture, Played
from tournaments.rating import Contest, Member

Team = tuple[Member, ...]


def contest(fixture: Fixture, played: Played) -> Contest:
    """The match as a contest of its sides, or of its seats where there are no sides (DESIGN: rated faults).

    A fault costs the offender's side; its partners learn nothing. Without two sides the others are not rated on it.
    """
    teams = _teams(played.outcome, len(fixture.entries))
    two_sided = len(teams) == 2
    offenders = {fault.seat for fault in played.faults}
    return Contest(
        block=block(fixture),
        teams=tuple(
            tuple(Member(fixture.entries[seat], updated=_learns(seat, team, offenders, two_sided)) for seat in team)
            for team in teams
        ),
        places=tuple(played.outcome.places[team[0]] for team in teams),
    )


def block(fixture: Fixture) -> str:
    """One deal of one group of entries, in all its rotations: what the bootstrap draws as one."""
    return f"{fixture.table}/{'+'.join(sorted(fixture.entries))}/deal-{fixture.deal}"


def _teams(outcome: Outcome, seats: int) -> tuple[tuple[int, ...], ...]:
    return tuple(side.seats for side in outcome.sides) or tuple((seat,) for seat in range(seats))


def _learns(seat: int, team: tuple[int, ...], offenders: set[int], two_sided: bool) -> bool:
    if not offenders or seat in offenders:
        return True
    return two_sided and offenders.isdisjoint(team)
