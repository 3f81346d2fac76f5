"""Submitted bots without processes: a workshop that only notes what it is asked to do."""

import gzip
import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from referee.core.game import AnyGame
from tests.tournaments.leagues import game
from tests.tournaments.submissions.archives import END, file
from tests.tournaments.submissions.bad import LIMITS
from tournaments.league.model import League
from tournaments.league.submissions import ORGANIZER, Submission
from tournaments.store import Store, trees_folder
from tournaments.submissions.bot_folders import BotFolders
from tournaments.submissions.build_environment import BotKilled, BuildFailed, Tell
from tournaments.submissions.pipeline import SubmissionPipeline
from tournaments.submissions.tree_cache import TreeCache

GAME: AnyGame = game()


def bot_toml(name: str, version: str = "1") -> bytes:
    return f'name = "{name}"\nversion = "{version}"\nauthor = "a"\ngames = ["*"]\nrun = ["./bot.sh"]\n'.encode()


def archive(name: str = "bee", version: str = "1", more: bytes = b"") -> io.BytesIO:
    """A bot, packed."""
    members = file(b"bot.toml", bot_toml(name, version)) + file(b"bot.sh", b"#!/bin/sh\n" + more, mode=0o755)
    return io.BytesIO(gzip.compress(members + END))


class FakeWorkshop:
    """Builds by writing a file, and lets bots pass, unless they should fail.

    Attributes:
        built: the folders that were built.
        checked: what was checked: the content of the file that building wrote.
    """

    def __init__(
        self,
        platform: str = "here",
        fails_to_build: str | None = None,
        fails_in_check: str | None = None,
        kills: int = 0,
        before: Callable[[str], None] = lambda _what: None,
    ) -> None:
        """Prepare; `before` is called before each piece of work. In the first `kills` pieces the bot is killed."""
        self.platform = platform
        self.limits = LIMITS
        self.fails_to_build = fails_to_build
        self.fails_in_check = fails_in_check
        self.built: list[Path] = []
        self.checked: list[str] = []
        self._before = before
        self._kills = kills

    def check_confinement(self) -> None:
        self._before("hold")

    def build(self, folder: Path, tell: Tell) -> dict[str, str]:
        self._before("build")
        tell("compiling\n")
        self._kill()
        if self.fails_to_build:
            raise BuildFailed(self.fails_to_build)
        self.built.append(folder)
        (folder / "build").mkdir()
        (folder / "build" / "made").write_text(f"{self.platform}, {len(self.built)}")
        return {"sh": "1.0"}

    def check(self, folder: Path, tell: Tell) -> None:
        self._before("check")
        self.checked.append((folder / "build" / "made").read_text())
        tell("playing\n")
        self._kill()
        if self.fails_in_check:
            raise BuildFailed(self.fails_in_check)

    def _kill(self) -> None:
        if self._kills:
            self._kills -= 1
            raise BotKilled("it failed")


class Clock:
    """It ticks whenever it is read."""

    def __init__(self) -> None:
        self.now_ms = 1_000

    def __call__(self) -> int:
        self.now_ms += 1
        return self.now_ms


def nobody(_text: str) -> None:
    """Ignore all output."""


@contextmanager
def pipeline(
    url: str, league: League, build_environment: FakeWorkshop, game: AnyGame = GAME
) -> Iterator[SubmissionPipeline]:
    """The intake of a league."""
    with Store(url, league.name) as store, TreeCache(trees_folder(url), store.trees) as cache:
        store.open_league(league, {}, bytes(32), now_ms=1)
        yield SubmissionPipeline(league, store, BotFolders(store, cache), build_environment, lambda _: game)


def entered(
    url: str,
    league: League,
    build_environment: FakeWorkshop,
    name: str = "bee",
    version: str = "1",
    author: str = ORGANIZER,
    game: AnyGame = GAME,
) -> Submission:
    """Submit a bot."""
    return submitted(url, league, build_environment, archive(name, version), author, game)


def submitted(
    url: str,
    league: League,
    build_environment: FakeWorkshop,
    packed: io.BytesIO,
    author: str = ORGANIZER,
    game: AnyGame = GAME,
) -> Submission:
    """Submit what is packed."""
    clock = Clock()
    with pipeline(url, league, build_environment, game) as opened:
        return opened.go_on(opened.receive(packed, author, None, clock()), clock, nobody)
