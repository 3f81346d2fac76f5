"""What submissions cost a league while it is played: how long the runner's commits take, with and without them.

The league is served as an organizer serves it, with a core of its own for the service. An author sends twenty bots at
once over the network, and each is built, checked and entered in the box while the league is played on the other core.

    python -m benchmarks.submissions [DEALS BOTS [ROUNDS]]
"""

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from rich.console import Console

from benchmarks.rows import Missing, Pair, Row, Target, missing_row, paired_row, plain_row, table
from benchmarks.served import served, write_league
from referee.runtime.sandbox.self_test import obstacle
from tests.tournaments.accounts import let_in
from tournaments.league.model import League
from tournaments.play.environment import LocalEnvironment
from tournaments.play.nodes.self_test import ECHO
from tournaments.play.run import open_run
from tournaments.results.league_location import league_in
from tournaments.results.standings import league_digest
from tournaments.store import Store
from tournaments.web.client.address import address
from tournaments.web.client.http_client import LeagueClient, ServiceUnreachable
from tournaments.web.client.submit import followed, submitted

DEALS, BOTS = 6_000, 20
_ROUNDS = 3
_AUTHOR, _TOKEN = "eva", "5f" * 32
_TARGET = Target(first=2, then=1.5)


class _Played(NamedTuple):
    """A league that was played: its digest, the milliseconds of each commit, and how many bots came in meanwhile."""

    digest: str
    commits_ms: list[float]
    entered: int

    @property
    def p99_ms(self) -> float:
        return sorted(self.commits_ms)[int(len(self.commits_ms) * 0.99)]


def rows(deals: int = DEALS, bots: int = BOTS, rounds: int = _ROUNDS) -> list[Row]:
    """The commits of a run beside submissions, over those of the same run without them."""
    name = f"p99 of a run's commits while {bots} bots are submitted, over the same without them: ms"
    if (hindrance := obstacle("bubblewrap")) is not None:
        return [missing_row(name, "lower", Missing(f"bubblewrap does not work here: {hindrance.what}"))]
    runs = [(_played(deals, bots), _played(deals, 0)) for _ in range(rounds)]
    assert all(beside.digest == alone.digest for beside, alone in runs)
    entered = f"bots of {bots} that came in while {2 * deals:,} matches were played"
    return [
        paired_row(name, [Pair(beside.p99_ms, alone.p99_ms) for beside, alone in runs], "lower", _TARGET),
        plain_row(entered, [beside.entered for beside, _ in runs], "higher"),
    ]


def _played(deals: int, bots: int) -> _Played:
    """Play the league while so many bots are submitted."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        file, url = folder / "bench.toml", f"sqlite:///{folder}/bench.sqlite"
        write_league(file, deals)
        league = league_in(file)
        with _submitting(file, league, url, bots), _timed() as commits_ms:
            with open_run(league, url, LocalEnvironment(spared=1)) as run:
                for _ in run.play():
                    pass
                played = run.results.matches()
            assert all(not match.faults for match in played)
            digest = league_digest((match.fixture, match.digest) for match in played)
            with Store(url, league.name) as store:
                states = [each.state for each in store.submissions.registry(league).submissions]
        return _Played(digest, commits_ms, states.count("entered"))


@contextmanager
def _timed() -> Iterator[list[float]]:
    """The milliseconds that each group of results took to be stored."""
    commits_ms: list[float] = []
    save = Store.save

    def timed(*arguments: object) -> int:
        began = time.perf_counter()
        added = save(*arguments)  # type: ignore[arg-type] # whatever it is called with
        commits_ms.append((time.perf_counter() - began) * 1_000)
        return added

    with patch.object(Store, "save", timed):
        yield commits_ms


@contextmanager
def _submitting(file: Path, league: League, url: str, bots: int) -> Iterator[None]:
    """Serve the league, and have an author send bots."""
    if not bots:
        yield
        return
    with Store(url, league.name) as store:
        let_in(store, _AUTHOR, secret=_TOKEN)
    with served(file, url) as where:
        sending = get_context("spawn").Process(target=_send, args=(where, file.parent, bots))
        sending.start()
        try:
            yield
        finally:
            sending.terminate()
            sending.join()


def _send(url: str, folder: Path, bots: int) -> None:
    """Send bots at once, and follow them. Authors have machines of their own, so this gives way to all else."""
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))

    def send(number: int) -> None:
        line = LeagueClient(address(url), _TOKEN)
        bot = _bot(folder / f"bot{number}", number)
        with suppress(ServiceUnreachable):  # the league is over, and so is the server
            followed(line, submitted(line, bot, None).number, lambda _text: None)

    with ThreadPoolExecutor(bots) as pool:
        list(pool.map(send, range(bots)))


def _bot(folder: Path, number: int) -> Path:
    """An echo bot with a name of its own."""
    folder.mkdir()
    for file in ("bot.py", "bot.toml"):
        (folder / file).write_text((ECHO / file).read_text().replace('"echo"', f'"echo-{number}"'))
    return folder


if __name__ == "__main__":
    given = tuple(map(int, sys.argv[1:])) or (DEALS, BOTS)
    Console(width=None if sys.stdout.isatty() else 130).print(table(rows(*given)))
