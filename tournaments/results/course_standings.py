"""One table over the leagues of a course: what each owner of bots may expect, whatever the games and seasons are.

In each league the last bot counts that the owner entered, never the best one. A season is a league. Leagues draw their
deals independently, and all of their tables count the same, but for the weights in the league files.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from referee.core import seeds
from tournaments.league.model import League
from tournaments.league.submissions import Submission
from tournaments.rating.contest import contests
from tournaments.rating.fit import OverallShare
from tournaments.results.standings import TableInputs


class CourseStanding(msgspec.Struct, frozen=True):
    """An owner's line.

    Attributes:
        owner: a person, a team or the author that a league file names; for other bots of a file, their name without a
            version.
        overall: what the owner's bots may expect.
        bots: by league, the bot that counts; empty: none.
    """

    owner: str
    overall: OverallShare
    bots: dict[str, str]

    @property
    def elo(self) -> float | None:
        """The share as a number like Elo's: 1500 is the mean, and 400 more are ten wins for one loss."""
        share = self.overall.share
        return None if share is None or not 0 < share < 1 else 1500 + 400 * math.log10(share / (1 - share))


class CourseLeague(NamedTuple):
    """A league of a course.

    Attributes:
        inputs: its matches that count.
        bots: by owner, the bot that counts.
    """

    inputs: TableInputs
    bots: Mapping[str, str]


def counting_bots(league: League, submissions: Sequence[Submission]) -> dict[str, str]:
    """By owner, the last bot on the roster of a league. `league` has the bots that are on it now."""
    here = {entry.name: entry for entry in league.entries}
    entered = [each for each in submissions if each.state == "entered" and each.entry in here]
    submitted = {each.author: each.entry for each in sorted(entered, key=lambda each: (each.changed_ms, each.number))}
    of_file = [entry for entry in league.entries if entry.source is None]
    return {entry.author or entry.name.partition("@")[0]: entry.name for entry in of_file} | submitted


def course_standings(leagues: Sequence[CourseLeague]) -> list[CourseStanding]:
    """The table, the largest share first; then those who lack a table, those who lack the fewest first."""
    from tournaments.rating.overall import Overall, RatedTable, rate_tables  # noqa: PLC0415 - they import numpy and scipy

    rated, weights = list[RatedTable](), list[float]()
    for inputs, bots in leagues:
        league = inputs.league
        names = [entry.name for entry in league.entries]
        seed = seeds.child(inputs.seed, "overall")
        played = [table for table in league.tables if any(each.table == table.name for each, _ in inputs.matches)]
        at_table = {
            table.name: contests(league, (each for each in inputs.matches if each[0].table == table.name))
            for table in played
        }
        tables = rate_tables(at_table, names, league.draw_probability, seed)
        for found in tables:
            own = {owner: found.names[bot] for owner, bot in bots.items() if bot in found.names}
            rated.append(RatedTable(found.rated, own))
        weights += [table.weight for table in played]
    owners = sorted({owner for _, bots in leagues for owner in bots})
    overall = Overall(rated, owners, weights)
    lines = [CourseStanding(owner, overall.of(owner), dict(_bots_of(owner, leagues))) for owner in owners]
    return sorted(lines, key=lambda line: (-line.overall.tables, -(line.overall.share or 0.0)))


def _bots_of(owner: str, leagues: Sequence[CourseLeague]) -> Iterator[tuple[str, str]]:
    for inputs, bots in leagues:
        yield inputs.league.name, bots.get(owner, "")
