"""A house for tests: its bots are puppets, which play by the protocol without a process."""

import asyncio
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace

from referee.match.clock import Clock
from referee.match.entry_terms import Terms
from referee.runtime.confinement import confinement
from referee.runtime.host import Bot, Ear, Hosting, nobody
from referee.runtime.mailbox import Mailbox
from referee.runtime.person import Person, PersonHost
from referee.wire.decode import Asked, outline
from referee.wire.registry import game_entry
from tournaments.league.human_play import Hospitality
from tournaments.web.people.match_archive import Archive
from tournaments.web.people.protocol import Course, House, News
from tournaments.web.people.table import Room
from tournaments.web.people.table_request import PERSON, Wish
from tournaments.web.people.tables import TheHouse

TERMS = Hospitality(opponents=("puppet@person",), tables=2)


class _Hand(Mailbox):
    """A mailbox that answers by itself, a moment later."""

    def __init__(self, seed: str) -> None:
        super().__init__()
        self._rng = Random(seed)

    def deliver(self, message: bytes) -> None:
        super().deliver(message)
        if self.open is not None:
            asyncio.get_running_loop().call_soon(self.choose, self.open.decision, self._rng.randrange(self.open.legal))


class Puppet(Person, frozen=True):
    """A bot that needs no process: a person whose hand moves by itself."""

    async def host(self, hosting: Hosting, ear: Ear = nobody) -> PersonHost:  # noqa: ARG002 - nothing is started
        return PersonHost(replace(self, mailbox=_Hand(self.name)))

    def refusal(self, game: str, options: dict[str, object]) -> str | None:  # type: ignore[override]  # noqa: ARG002
        return "puppets do not play on the secondary board" if options.get("board") == "secondary" else None


def puppet(name: str = "puppet") -> Puppet:
    return Puppet(name, Mailbox(), Terms())


def room(game: str, folder: Path, terms: Hospitality = TERMS, **bots: Puppet) -> Room:
    return Room(
        league=f"{game}-league",
        game=game_entry(game),
        bots=dict[str, Bot]({"puppet@person": puppet(), **bots}),
        clock=Clock(),
        confinement=confinement("none"),
        terms=terms,
        archive=Archive(folder / "kept", terms.kept, terms.kept_mib << 20),
    )


class Hands:
    """Time as a test moves it."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def house(folder: Path, terms: Hospitality = TERMS, now: Hands | None = None) -> TheHouse:
    """A house with every game. An event loop must run."""
    rooms = [room(game, folder, terms) for game in ("agent-avenue", "agonia", "inside-job")]
    told: list[str] = []
    return TheHouse({it.league: it for it in rooms}, folder, told.append, now or Hands())


SEATS = {"agent-avenue": 2, "agonia": 2, "inside-job": 3}


def wish(game: str, name: str = "ann", persons: int = 1, **options: Any) -> Wish:
    """A table with the fewest seats, the first of them for persons."""
    seats = (*[PERSON] * persons, *["puppet@person"] * (SEATS[game] - persons))
    return Wish(f"{game}-league", options, seats, name)


async def play(house: House, key: str, seed: str = "hand") -> list[News]:
    """Play at a seat to the end. Returns all its news."""
    rng, all_news, last = Random(seed), [], b""
    async for news in house.follow(key):
        all_news.append(news)
        last = news.messages[-1] if news.messages else last
        if news.left_ms is not None:
            asked = outline(last)
            assert isinstance(asked, Asked)
            await house.choose(key, asked.decision, rng.randrange(asked.legal))
    assert all_news[-1].setting.course in {Course.OVER, Course.VOID}
    return all_news
