"""What is kept of every playthrough: how it was played, and the digest of its text. One file for each table.

A playthrough has two lines. The first says how to begin it, and has the digest. The second has the index of every
choice, in the order of the questions. A fault is an index that was not legal.
"""

import re
from functools import cache

import msgspec

from tests.golden.playthrough import Played, play
from tests.golden.tables import GOLDEN, Golden

_LINES = re.compile(r"^(\w+): seed (\S+), played (\S+), told as (\w+)\n((?: \d+)*)$", re.MULTILINE)


class Record(msgspec.Struct, frozen=True):
    """One playthrough.

    Attributes:
        seed: the seed of the match.
        manner: the manner in which it was found.
        digest: the SHA-256 of its text.
        choices: the index of each choice.
    """

    seed: str
    manner: str
    digest: str
    choices: tuple[int, ...]


class NotRecorded(Exception):
    """There is no such playthrough yet."""


def recorded(golden: Golden) -> Record:
    """The record of a playthrough.

    Raises:
        NotRecorded: there is none.
    """
    try:
        return endings(golden)[golden.ending]
    except KeyError:
        raise NotRecorded(f"there is no golden playthrough {golden}; write it with: make golden") from None


def endings(golden: Golden) -> dict[str, Record]:
    """The records of its table, by ending."""
    if not golden.choices_path.exists():
        return {}
    return {
        ending: Record(seed, manner, digest, tuple(map(int, choices.split())))
        for ending, seed, manner, digest, choices in _LINES.findall(golden.choices_path.read_text(encoding="utf-8"))
    }


def retold(golden: Golden) -> Played:
    """The match as it goes today with the recorded choices. If there are too few choices, a seat is at fault."""
    return _retold(golden, recorded(golden))


@cache
def _retold(golden: Golden, record: Record) -> Played:
    left = iter(record.choices)
    return play(golden, record.seed, record.manner, lambda _match, ask: next(left, len(ask.legal)))


def write(golden: Golden, played: Played) -> None:
    """Keep `played` as this playthrough. Keep its text only if this playthrough is kept in text."""
    golden.folder.mkdir(parents=True, exist_ok=True)
    golden.choices_path.write_text(_table_with(golden, played), encoding="utf-8")
    if golden.in_text:
        golden.text_path.write_text(played.text, encoding="utf-8")
    else:
        golden.text_path.unlink(missing_ok=True)


def _table_with(golden: Golden, played: Played) -> str:
    """The records of the table with this one, and without endings that nobody wants any more."""
    records = endings(golden) | {golden.ending: Record(played.seed, played.manner, played.digest, played.choices)}
    wanted = [other.ending for other in GOLDEN if other.folder == golden.folder]
    return "".join(_as_lines(ending, records[ending]) for ending in wanted if ending in records)


def _as_lines(ending: str, record: Record) -> str:
    choices = "".join(f" {index}" for index in record.choices)
    return f"{ending}: seed {record.seed}, played {record.manner}, told as {record.digest}\n{choices}\n"
