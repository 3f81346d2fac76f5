"""What byes do to a Swiss with two bots a table: simulated events of odd fields, beside even ones.

    python -m benchmarks.swiss_byes [--events N]

The table says how often the best bot is first, and how many places a bot gains on average if it loses a round on
purpose: the first one, or a later one drawn by lot. The bot is drawn by lot, too, and everything else stays as it was.
(A number below 0 says that it loses places.) `docs/formats-swiss.md` shows the table.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from statistics import fmean
from typing import NamedTuple

from referee.core import seeds
from referee.core.outcome import Outcome
from tournaments.league.format_settings import SwissSettings
from tournaments.league.model import Fixture, StoredMatch, TableSpec
from tournaments.maintenance.simulated_league import stored_match
from tournaments.schedule.formats.issued_waves import IssuedWave
from tournaments.schedule.formats.swiss import SwissRounds, usual_rounds

FIELDS: Mapping[str, Callable[[int], Sequence[float]]] = {
    "ladder": lambda bots: [0.3 * at for at in range(bots)],
    "one ahead": lambda bots: [0.0] * (bots - 1) + [0.6],
}
"""By its name, the strengths of a field of so many bots; the last bot is the best. 1 more wins 70 % of the matches. In
a ladder every bot is better than the one before; otherwise all bots but the best are equal."""

SIZES = (6, 7, 8, 9, 10, 14, 15, 16)
"""The fields of 7, 9 and 15 bots, and the even fields beside them."""

_MATCHES = 40
"""How many matches a pair plays in a round. The share of wins is rounded to a multiple of 1/12: reading 12 results is
quicker, and the luck of 40 matches is larger than what rounding takes away."""

_TWELVE = 12
_TABLE = TableSpec("duel", 2, {})


class Loss(NamedTuple):
    """A round that a bot loses on purpose; rounds count from 0."""

    bot: str
    round: int


def order(field: str, bots: int, number: int, loss: Loss | None = None) -> list[str]:
    """The bots of an event, as they stand at its end. The last of `names_of` is the best bot."""
    seed = seeds.child(seeds.from_text("swiss byes"), field, str(bots), str(number))
    names = names_of(bots)
    strengths = dict(zip(names, FIELDS[field](bots), strict=True))
    rounds = SwissRounds(SwissSettings(), [_TABLE], 1, seed)
    issues: list[IssuedWave] = []
    results: list[tuple[Fixture, StoredMatch]] = []

    def counted() -> Sequence[tuple[Fixture, StoredMatch]]:
        return results

    while issue := rounds.decide(issues, names, counted):
        loser = loss.bot if loss and loss.round == len(issues) else None
        results += _results(issue, strengths, seed, loser)
        issues.append(issue)
    return [each.entry for each in rounds.standings(issues, names, counted)]


def names_of(bots: int) -> list[str]:
    """The names of the bots of a field."""
    return [f"bot{at:02}@1" for at in range(bots)]


def _results(
    issue: IssuedWave, strengths: Mapping[str, float], seed: bytes, loser: str | None
) -> Iterator[tuple[Fixture, StoredMatch]]:
    for one, two in dict.fromkeys(tuple(sorted(line_up.entries)) for line_up in issue.line_ups):
        luck = Random(seeds.child(seed, str(issue.first_deal), one, two))
        chance = 1 / (1 + (3 / 7) ** (strengths[one] - strengths[two]))
        wins = round(_TWELVE * fmean(luck.random() < chance for _ in range(_MATCHES)))
        if loser in (one, two):
            wins = 0 if loser == one else _TWELVE
        fixture = Fixture(f"{issue.first_deal} {one} {two}", _TABLE.name, (one, two), issue.first_deal, 0)
        won, lost = ((fixture, stored_match(fixture, Outcome("over", places, ()))) for places in ((1, 2), (2, 1)))
        yield from [won] * wins + [lost] * (_TWELVE - wins)


class EventResult(NamedTuple):
    """What an event shows.

    Attributes:
        first: whether the best bot is first.
        gains: how many places a bot gains by losing the first round, and by losing a round drawn by lot; empty in a
            field without byes.
    """

    first: bool
    gains: tuple[int, ...]


def event(field: str, bots: int, number: int) -> EventResult:
    """An event, and in a field with byes the same event if a bot loses a round on purpose."""
    honest, best = order(field, bots, number), names_of(bots)[-1]
    if bots % 2 == 0:
        return EventResult(honest[0] == best, ())
    luck = Random(number)
    bot, drawn = luck.choice(honest), luck.randrange(1, usual_rounds(bots, 2))
    lost = [order(field, bots, number, Loss(bot, at)) for at in (0, drawn)]
    return EventResult(honest[0] == best, tuple(honest.index(bot) - found.index(bot) for found in lost))


def line(field: str, bots: int, events: int) -> str:
    """A row of the table in docs/formats-swiss.md."""
    found = [event(field, bots, number) for number in range(events)]
    gains = [f"{fmean(each):.2f}" for each in zip(*(each.gains for each in found), strict=True)] or ["-", "-"]
    return f"| {field} | {bots} | {100 * fmean(each.first for each in found):.0f} | {' | '.join(gains)} |"


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.swiss_byes")
    parser.add_argument("--events", type=int, default=200, metavar="N", help="how many of each kind (200)")
    events = parser.parse_args(arguments).events
    print("| field | bots | best bot first, % | gained by losing round 1 | gained by losing a later round |")
    print("|---|---|---|---|---|")
    for field in FIELDS:
        for bots in SIZES:
            print(line(field, bots, events), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
