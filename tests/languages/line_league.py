"""`python -m tests.languages.line_league MATCHES FOLDER [LANGUAGE...]`: a league of line bots in boxes, and over gRPC.

The starter that reads lines in each language plays at least so many matches against all others, in boxes. Then bots
that are called play the same league by the same rule. Both leagues are kept in the folder, also when they are stopped:
the same command goes on. It ends with 1 if a match had a fault, or if the digests differ. Without languages it takes
all whose toolchain is there.
"""

import argparse
import sys
from collections.abc import Sequence
from itertools import combinations
from math import ceil
from pathlib import Path
from typing import NamedTuple

from referee.files.bot_toml import read_manifest
from tests.bots.alike import write_alike
from tests.cli.command import run
from tests.install import toolchains

TOOLCHAINS = toolchains(Path(__file__).with_name("line_toolchains.toml"))
SEATS = 2

_LEAGUE = """\
name = "languages"
game = "agent-avenue"
deals = {deals}
rehearsal = true
seed = "languages"
sandbox = "bubblewrap"
clock = {{ move_ms = 100_000, start_ms = 300_000 }}
{bots}
[[tables]]
name = "simple"
seats = 2
"""


class Played(NamedTuple):
    """A league that was played."""

    matches: int
    faults: int
    digest: str


def new_bot(folder: Path, language: str) -> Path:
    """A new bot in a language, built; the one that is there already.

    Raises:
        RuntimeError: it cannot be made or built.
    """
    place = folder / language
    if not (place / "bot.toml").exists():
        for command in (["new", language], ["build"]):
            ended = run(*command, place, folder=folder)
            if ended.code != 0:
                raise RuntimeError(f"{' '.join(command)}: {ended.out}{ended.err}")
    return place


def rename(place: Path, name: str) -> None:
    """Give a bot another name."""
    before = f'name = "{read_manifest(place).name}"'
    (place / "bot.toml").write_text((place / "bot.toml").read_text().replace(before, f'name = "{name}"'))


def play(folder: Path, bots: Sequence[Path], matches: int) -> Played:
    """Play a league in the folder, or go on with it.

    Raises:
        RuntimeError: the run fails.
    """
    folder.mkdir(exist_ok=True)
    of_a_deal = SEATS * sum(1 for _ in combinations(bots, SEATS))
    entered = "".join(f'[[bots]]\npath = "{bot}"\n' for bot in bots)
    (folder / "league.toml").write_text(_LEAGUE.format(deals=ceil(matches / of_a_deal), bots=entered))
    ran = run("league", "run", "league.toml", folder=folder)
    if ran.code != 0:
        raise RuntimeError(ran.err)
    table = run("league", "standings", "league.toml", "--json", folder=folder).json
    return Played(table["matches"]["played"], sum(line["faults"] for line in table["standings"]), table["digest"])


def play_both(folder: Path, made: Path, languages: Sequence[str], matches: int) -> tuple[Played, Played]:
    """The league of the starters, and that of the same rule over gRPC. The starters are in the folder `made`."""
    starters = [new_bot(made, language) for language in languages]
    for place, language in zip(starters, languages, strict=True):
        rename(place, language)
    called = [folder / "called" / language for language in languages]
    for place in called:
        if not place.exists():
            write_alike(place, "grpc", place.name)
    return play(folder / "lines", starters, matches), play(folder / "grpc", called, matches)


def main() -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.languages.line_league", description=__doc__)
    parser.add_argument("matches", type=int, help="at least so many")
    parser.add_argument("folder", type=Path, help="where the bots and the leagues are kept")
    there = [language for language, chain in TOOLCHAINS.items() if not chain.missing]
    parser.add_argument("languages", nargs="*", help=f"of {', '.join(TOOLCHAINS)}")
    words = parser.parse_args()
    made = words.folder.absolute() / "bots"
    made.mkdir(parents=True, exist_ok=True)
    lines, grpc = play_both(made.parent, made, words.languages or there, words.matches)
    print(f"in lines: {lines.matches} matches, {lines.faults} faults, digest {lines.digest}")
    print(f"over gRPC: {grpc.matches} matches, {grpc.faults} faults, digest {grpc.digest}")
    return 0 if lines == grpc and not lines.faults else 1


if __name__ == "__main__":
    sys.exit(main())
