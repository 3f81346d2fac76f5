"""How far the outlook of a game can be trusted: of the seats that stood at 0.7, how many were first in the end?

    python -m benchmarks.outlook [--share PART] [--write]

It plays matches of the sample bots, and random ones, of every variety with each number of players.
`--write` writes the table of docs/turning-points.md anew. `--share` plays a part of them, such as 0.1.
"""

import argparse
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, NamedTuple

import msgspec

import referee
from benchmarks.sample_players import SamplePlayer
from referee.check.random_play import anyhow, walk
from referee.core.game import AnyGame, Outlook, Over
from referee.core.outcome import Outcome
from referee.match.turning_points import swings
from referee.wire.registry import game_entry

DOCUMENT = Path(__file__).parents[1] / "docs" / "turning-points.md"
BLOCK = re.compile(r"(?<=<!-- written by benchmarks/outlook.py -->\n).*?(?=<!-- end -->)", re.DOTALL)

FIELDS = {
    "agent-avenue": (("greedy", "counter"), 400),
    "inside-job": (("careful",), 60),
    "agonia": (("defender", "shooter"), 150),
}
"""By game: the bots, and how many matches they play of each variety with each number of players."""
RANDOM_MATCHES = 100
"""As many random matches are played of each."""


class Observation(NamedTuple):
    """A seat in a position: its outlook, and whether it was first in the end."""

    outlook: float
    was_first: bool


def of_sample_bots(game: str, share: float) -> Iterator[Observation]:
    """All positions of matches between sample bots."""
    bots, count = FIELDS[game]
    rules = game_entry(game).game
    for options, seats, number in matches(rules, count * share):
        # The bots of a number in base `len(bots)`: every mix of them at every seat.
        names = [bots[number // len(bots) ** seat % len(bots)] for seat in range(seats)]
        players = [SamplePlayer(name) for name in names]
        match = referee.play(game, players, seed=number, options=msgspec.to_builtins(options), strict=True)
        for swing in swings(rules, match.transcript):
            yield from _observations(swing.before, match.outcome)


def matches(rules: AnyGame, count: float) -> Iterator[tuple[Any, int, int]]:
    """Options, numbers of seats, and so many numbers from 0 on for each of both."""
    for options in rules.varieties:
        for seats in rules.seats(options):
            for number in range(max(1, round(count))):
                yield options, seats, number


def of_random_play(game: str, share: float) -> Iterator[Observation]:
    """All positions of random matches."""
    rules = game_entry(game).game
    assert isinstance(rules, Outlook)
    for options, seats, number in matches(rules, RANDOM_MATCHES * share):
        steps = list(walk(rules, options, seats, anyhow, Random(number)))
        over = rules.awaiting(steps[-1].after)
        assert isinstance(over, Over)
        for step in steps:
            yield from _observations(rules.outlook(step.before), over.outcome)


def _observations(chances: tuple[float, ...], outcome: Outcome) -> Iterator[Observation]:
    """Every seat, but only one of a side: the seats of a side stand equally well."""
    for seat in {side.seats[0] for side in outcome.sides if side.seats} or range(len(chances)):
        yield Observation(chances[seat], outcome.places[seat] == 1)


class Tenth(NamedTuple):
    """All seats whose outlook is in one tenth."""

    moments: int
    outlook: float
    was_first: float


def tenths(observations: Iterator[Observation]) -> list[Tenth | None]:
    """By tenth, from 0 to 0.1 on; None where nobody stood."""
    found = defaultdict(list)
    for each in observations:
        found[min(int(each.outlook * 10), 9)].append(each)
    return [_tenth(found[tenth]) if tenth in found else None for tenth in range(10)]


def _tenth(observations: list[Observation]) -> Tenth:
    return Tenth(
        len(observations), fmean(one.outlook for one in observations), fmean(one.was_first for one in observations)
    )


def table(share: float) -> Iterator[str]:
    """The table in Markdown, and a line for each game with the largest difference."""
    for game in FIELDS:
        bots, blindly = tenths(of_sample_bots(game, share)), tenths(of_random_play(game, share))
        yield f"**{game}**\n"
        yield "| outlook | sample bots: moments | mean outlook | were first | random play: moments | were first |"
        yield "|---|---|---|---|---|---|"
        for tenth, (one, other) in enumerate(zip(bots, blindly, strict=True)):
            cells = [f"{one.moments:,}", f"{one.outlook:.3f}", f"{one.was_first:.3f}"] if one else ["0", "", ""]
            cells += [f"{other.moments:,}", f"{other.was_first:.3f}"] if other else ["0", ""]
            yield f"| {tenth / 10:.1f} to {(tenth + 1) / 10:.1f} | {' | '.join(cells)} |"
        off = max(abs(one.outlook - one.was_first) for one in bots if one and one.moments >= 100)
        yield f"\nThe largest difference in a tenth with 100 moments or more is {off:.3f}.\n"


def main() -> None:
    """Measure, print the tables, and write them if asked to."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--share", type=float, default=1.0)
    arguments.add_argument("--write", action="store_true")
    wanted = arguments.parse_args()
    text = "\n".join(table(wanted.share))
    print(text)
    if wanted.write:
        DOCUMENT.write_text(BLOCK.sub(lambda _: f"\n{text}\n", DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
