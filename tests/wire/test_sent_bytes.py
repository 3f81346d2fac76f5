"""Every message of whole matches has the bytes that it had before. `make golden` writes their digests anew."""

import hashlib
from pathlib import Path

import pytest

from referee.wire.messages import encode
from referee.wire.registry import games
from tests.golden.tables import TABLES, GoldenTable
from tests.wire.matches import random_match

DIGESTS = Path(__file__).with_name("sent_bytes.txt")
SEEDS = ("1", "2", "3")
EVERY_TABLE = [(game, table) for game, tables in TABLES.items() for table in tables]


def recorded() -> dict[str, str]:
    """The digest of what is sent in all matches at a table, by the table's name."""
    return dict(line.split(": ") for line in DIGESTS.read_text(encoding="utf-8").splitlines())


def digest(game: str, table: GoldenTable) -> str:
    codec, sent = games()[game].codec, hashlib.sha256()
    for seed in SEEDS:
        for match, request in random_match(game, table.options, table.seats, seed):
            message = encode(codec, match, request)
            sent.update(len(message).to_bytes(4) + message)
    return sent.hexdigest()


@pytest.mark.parametrize(("game", "table"), EVERY_TABLE, ids=lambda it: getattr(it, "name", it))
def test_the_same_bytes_are_sent_as_before(game: str, table: GoldenTable, request: pytest.FixtureRequest) -> None:
    name, now = f"{game}/{table.name}", digest(game, table)
    if request.config.getoption("--update-golden", default=False):
        lines = recorded() | {name: now}
        DIGESTS.write_text("".join(f"{name}: {lines[name]}\n" for name in sorted(lines)), encoding="utf-8")
    assert recorded()[name] == now, "if rules or views were changed on purpose: make golden"


def test_no_digest_is_left_over() -> None:
    assert list(recorded()) == sorted(f"{game}/{table.name}" for game, table in EVERY_TABLE)
