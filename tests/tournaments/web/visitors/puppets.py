"""Tables for people in tests: their bots are puppets, which play by the protocol without a process."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import asdict

from referee.match.terms import Clock, EntryTerms
from referee.runtime.confinement import confinement
from referee.runtime.host import Bot, HostSettings, StderrListener, ignore_stderr
from referee.runtime.person import Mailbox, person
from referee.runtime.remote_bot import RemoteBot, RemoteHost
from referee.wire.registry import game_entry
from referee.wire.seat_messages import DecodedDecision, outline
from tournaments.league.service_terms import VisitorTerms
from tournaments.web.visitors.match_archive import Archive
from tournaments.web.visitors.protocol import PERSON, SeatEvents, TablePhase, TableRequest, TablesService
from tournaments.web.visitors.table import TableContext
from tournaments.web.visitors.tables import OpenTables

TERMS = VisitorTerms(opponents=("puppet@person",), tables=2)


class _Hand(Mailbox):
    """A mailbox that answers by itself, a moment later."""

    def __init__(self, seed: str) -> None:
        super().__init__()
        self._rng = Random(seed)

    def deliver(self, message: bytes) -> None:
        super().deliver(message)
        if self.open is not None:
            asyncio.get_running_loop().call_soon(self.choose, self.open.decision, self._rng.randrange(self.open.legal))


class Puppet(RemoteBot, frozen=True):
    """A bot that needs no process: a person whose mailbox answers by itself."""

    async def host(self, hosting: HostSettings, stderr_listener: StderrListener = ignore_stderr) -> RemoteHost:  # noqa: ARG002 - nothing is started
        return RemoteHost(person(self.name, _Hand(self.name), self.terms))

    def refusal(self, game: str, options: dict[str, object]) -> str | None:  # type: ignore[override]  # noqa: ARG002
        return "puppets do not play on the secondary board" if options.get("board") == "secondary" else None


def puppet(name: str = "puppet") -> Puppet:
    return Puppet(**asdict(person(name, Mailbox(), EntryTerms())))


def room(game: str, folder: Path, terms: VisitorTerms = TERMS, **bots: Puppet) -> TableContext:
    return TableContext(
        league=f"{game}-league",
        game=game_entry(game),
        bots=dict[str, Bot]({"puppet@person": puppet(), **bots}),
        clock=Clock(),
        confinement=confinement("none"),
        terms=terms,
        archive=Archive(folder / "kept", terms.kept, terms.kept_mib << 20),
    )


class Hands:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def tables_service(
    folder: Path,
    terms: VisitorTerms = TERMS,
    now: Hands | None = None,
    games: Sequence[str] = ("agent-avenue", "agonia", "inside-job"),
    tell: Callable[[str], None] = lambda _sentence: None,
) -> OpenTables:
    """Tables for people with these games. An event loop must run."""
    rooms = [room(game, folder, terms) for game in games]
    return OpenTables({it.league: it for it in rooms}, folder, tell, now or Hands())


SEATS = {"agent-avenue": 2, "agonia": 2, "inside-job": 3}
"""The games of the tables, and with how many seats they are played."""


def wanted_table(game: str, name: str = "ann", persons: int = 1, **options: Any) -> TableRequest:
    """A table with the fewest seats, the first of them for persons."""
    seats = (*[PERSON] * persons, *["puppet@person"] * (SEATS.get(game, 2) - persons))
    return TableRequest(f"{game}-league", options, seats, name)


async def play(tables_service: TablesService, key: str, seed: str = "hand") -> list[SeatEvents]:
    """Play at a seat to the end. Returns all its news."""
    rng, all_news, last = Random(seed), [], b""
    async for news in tables_service.follow(key):
        all_news.append(news)
        last = news.messages[-1] if news.messages else last
        if news.left_ms is not None:
            asked = outline(last)
            assert isinstance(asked, DecodedDecision)
            await tables_service.choose(key, asked.decision, rng.randrange(asked.legal))
    assert all_news[-1].setting.phase in {TablePhase.OVER, TablePhase.VOID}
    return all_news
