"""Leagues that last as long as a test needs, and what one machine makes of them."""

import re
from pathlib import Path

from referee.wire.registry import game_entry
from tests.tournaments.arena import chooses, write_bot, write_league
from tests.tournaments.fakes import FakeExecutor, FakeMachine
from tournaments.play.run import open_run
from tournaments.results.computed_tables import league_standings
from tournaments.results.league_location import league_in


def slow(folder: Path, deals: int, delay_ms: int) -> Path:
    """A league of two bots that wait before each decision, and play what they would play at once."""
    folder.mkdir()
    bots = [write_bot(folder / name, name, folder / "log", delay_ms) for name in ("ann", "bob")]
    return write_league(folder / "slow.toml", bots, deals)


def digest_here(folder: Path, deals: int) -> str:
    """The digest of a slow league, as this process plays it without waiting."""
    league = league_in(slow(folder, deals, delay_ms=0))
    bots = {entry.name: chooses for entry in league.entries}
    machine = FakeMachine(FakeExecutor(bots, game=game_entry(league.game).game))
    with open_run(league, f"sqlite:///{folder / 'store.sqlite'}", machine) as run:
        assert sum(1 for _ in run.play()) == 2 * deals
        return league_standings(run.results).digest


def digest_said(said: str) -> str:
    """The digest that the last run printed."""
    return str(re.findall(r"^digest: ([0-9a-f]{64})$", said, re.MULTILINE)[-1])
