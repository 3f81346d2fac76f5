"""Flat lines of our games are short, as docs/line-bots.md says: a language may read them into a place of fixed size."""

from random import Random

import pytest

from referee.match.conversation import Chosen, Ready
from referee.match.header import single
from referee.match.match import Ask, Match, Open
from referee.match.terms import Clock
from referee.wire.dialects import FLAT
from referee.wire.registry import games
from tests.golden.tables import TABLES, GoldenTable

LONGEST = 100


@pytest.mark.parametrize(
    ("game", "table"),
    [pytest.param(game, table, id=f"{game}-{table.name}") for game in games() for table in TABLES[game]],
)
def test_no_flat_line_of_our_games_is_long(game: str, table: GoldenTable) -> None:
    entry, rng = games()[game], Random(table.name)
    header = single(entry.game, table.options, tuple(f"bot-{seat}@1" for seat in range(table.seats)), table.name)
    match = Match(entry.game, header, Clock())
    for request in match:
        lines = FLAT.encode(entry.codec, match, request).split(b"\n")
        assert max(map(len, lines)) <= LONGEST
        if isinstance(request, Open):
            match.reply(Ready())
        else:
            match.reply(Chosen(rng.randrange(len(request.legal))) if isinstance(request, Ask) else None)
