"""Which pairings were played too little to count. This is the rule for all formats.

**Nothing follows from matches that were not played**: no wave, no bye, no place in a bracket, no last table. A match
that was void too often is abandoned; nobody has played it. A pairing, the entries that meet in a wave, counts if each
of its line-ups was played on at least half of its deals. So seats and luck stay about even between its bots. Matches
that are skipped because of a bot (its suspension, its withdrawal) are not missing: the reason is on the bots' side.

A wave that has a pairing that does not count decides nothing. The organizer takes its abandoned matches up again,
withdraws a bot of the pairing, or closes the league. `IssuingWaves` asks for this before it lets a format decide.
"""

from collections import defaultdict
from collections.abc import Iterable

from tournaments.league.model import Fixture
from tournaments.schedule.formats.plan import Plan
from tournaments.schedule.formats.wave import PlacedFixture


def undecided(plan: Plan, abandoned: Iterable[PlacedFixture]) -> tuple[PlacedFixture, ...]:
    """The abandoned fixtures of the pairings that do not count, in plan order.

    `abandoned` are all abandoned fixtures of the plan, in plan order, without those that are skipped.
    """
    by_line_up: defaultdict[tuple[int, str, tuple[str, ...], int], list[PlacedFixture]] = defaultdict(list)
    for placed in abandoned:
        by_line_up[plan.number(placed.at), *_line_up(placed.fixture)].append(placed)
    found = (
        placed
        for (number, *_), missing in by_line_up.items()
        if 2 * len(missing) > len(plan.waves[number].deals)
        for placed in missing
    )
    return tuple(sorted(found))


def _line_up(fixture: Fixture) -> tuple[str, tuple[str, ...], int]:
    return fixture.table, fixture.entries, fixture.rotation
