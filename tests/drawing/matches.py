"""Matches to be drawn: random ones and the golden ones, of every game that is drawn."""

from collections.abc import Callable
from importlib.metadata import entry_points
from random import Random
from typing import Any

import msgspec

from referee.core import seeds
from referee.core.game import AnyGame
from referee.core.outcome import FAULT
from referee.drawing.playback import Playback, watch
from referee.drawing.registry import GROUP
from referee.match.conversation import Answer, Ready, SeatQuestion
from referee.match.header import header
from referee.match.match import Ask, Match, Open
from referee.match.terms import Clock
from referee.match.transcript import Transcript
from referee.wire.registry import games
from tests.golden.records import recorded
from tests.golden.tables import GOLDEN, TABLES, Golden, GoldenTable


def drawn_games() -> tuple[str, ...]:
    """The games that can be drawn, sorted."""
    return tuple(sorted(point.name for point in entry_points(group=GROUP)))


EVERY_TABLE = tuple((game, table) for game in drawn_games() for table in TABLES[game])
"""Every table at which a drawn game is played: every option and number of players that the golden matches have."""


def _varied(game: str) -> tuple[GoldenTable, ...]:
    rules, tables = games()[game].game, TABLES[game]
    choices = [(options, seats) for options in rules.varieties for seats in rules.seats(options)]
    missing = [it for it in choices if it not in {(table.options, table.seats) for table in tables}]
    return (*tables, *(GoldenTable(f"{_named(options)}-{seats}", options, seats, ()) for options, seats in missing))


def _named(options: Any) -> str:
    """Its values without those that are as usual."""
    usual = msgspec.structs.asdict(type(options)())
    return "-".join(str(it) for name, it in msgspec.structs.asdict(options).items() if it != usual[name]) or "usual"


EVERY_CHOICE = {game: _varied(game) for game in drawn_games()}
"""By game, every choice of options worth trying with every number of players, the golden tables first."""


def choices(golden: Golden) -> int:
    """How many choices there are in it."""
    return len(recorded(golden).choices)


DRAWN_GOLDEN = tuple(golden for golden in GOLDEN if golden.game in drawn_games())
"""Every golden match of a drawn game: all endings, and a fault."""

QUICK = frozenset(
    {golden for golden in DRAWN_GOLDEN if golden.ending == FAULT}
    | {
        min((it for it in DRAWN_GOLDEN if it.game == game and it.ending != FAULT), key=choices)
        for game in drawn_games()
    }
)
"""Few pictures of every table: matches that a fault cuts short, and of each game the shortest whole one."""

Choose = Callable[[Ask], int]


def rules(game: str) -> AnyGame:
    return games()[game].game


def random_match(game: str, table: GoldenTable, seed: int, entries: tuple[str, ...] = ()) -> Transcript:
    """A match in which all choose at random."""
    rng = Random(seed)
    return played(rules(game), table, str(seed), lambda ask: rng.randrange(len(ask.legal)), entries)


def golden_match(golden: Golden, entries: tuple[str, ...] = ()) -> Transcript:
    """A golden match, played with its choices. Where they end, or are not legal, is a fault."""
    record = recorded(golden)
    get_kept = iter(record.choices)
    return played(golden.rules, golden.table, record.seed, lambda ask: next(get_kept, len(ask.legal)), entries)


def played(game: AnyGame, table: GoldenTable, seed: str, choose: Choose, entries: tuple[str, ...] = ()) -> Transcript:
    """A match in this process."""
    of_the_match = header(
        game=game.name,
        rules_version=game.rules_version,
        options=msgspec.to_builtins(table.options),
        fixture=f"drawn/{table.name}/{seed}",
        entries=entries or tuple(f"player-{seat}@1" for seat in range(table.seats)),
        root=seeds.from_text(seed),
        deal=0,
    )
    match = Match(game, of_the_match, Clock())
    for request in match:
        if isinstance(request, Open):
            match.reply(Ready())
        elif isinstance(request, Ask):
            judged = SeatQuestion(request.number, len(request.legal)).judge(Answer(request.number, choose(request)))
            match.reply(judged, 1_234 * request.number)
    return match.transcript()


def watched(transcript: Transcript) -> Playback:
    return watch(rules(transcript.record.header.game), transcript)
