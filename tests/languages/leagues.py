"""Bots that `referee new` and `referee build` make from the starters, and leagues that they play."""

import json
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from referee_bot.v1 import bot_pb2 as pb

from referee.files.bot_toml import read_manifest
from referee.match.conversation import Chosen
from referee.match.match import Ask
from referee.match.replay import Replay
from referee.match.transcript import Transcript, from_file
from referee.wire.codec import GameEntry
from referee.wire.messages import decision
from referee.wire.registry import games
from tests.cli.command import Ended, run
from tests.install import toolchains
from tests.sample_bots.rules import RULES, expected
from tournaments.store import Store

TOOLCHAINS = toolchains(Path(__file__).with_name("toolchains.toml"))

# In teams, one bot holds all seats of a side. Every table starts the processes of each pair twice: a few are enough.
AGENT_AVENUE = """
[[tables]]
name = "simple"
seats = 2

[[tables]]
name = "advanced"
seats = 2
options = { mode = "advanced", ceasefire = true }

[[tables]]
name = "2v2-simple"
seats = 4
seating = "teams"
options = { line_up = "2v2" }

[[tables]]
name = "2v1-advanced"
seats = 3
seating = "teams"
options = { mode = "advanced", line_up = "2v1" }
"""


class Bots:
    """New, built bots in every language whose toolchain is there, one for each rule, named after their language."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        languages = [language for language, toolchain in TOOLCHAINS.items() if not toolchain.missing]
        for rule in RULES:
            (folder / rule).mkdir()
        with ThreadPoolExecutor(len(languages)) as pool:
            self.built = dict(zip(languages, pool.map(self._make, languages), strict=True))

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages whose bots can play."""
        return tuple(language for language, ended in self.built.items() if ended.code == 0)

    def path(self, language: str, rule: str) -> Path:
        """The folder of a bot that plays by a rule."""
        return self._folder / rule / language

    def _make(self, language: str) -> Ended:
        fnv, greedy = (self.path(language, rule) for rule in RULES)
        made = run("new", language, "--protocol", "grpc", fnv, folder=self._folder)
        built = run("build", fnv, folder=self._folder) if made.code == 0 else made
        if built.code == 0:
            shutil.copytree(fnv, greedy, symlinks=True)
            _plays_greedy(greedy)
        return built


def _plays_greedy(bot: Path) -> None:
    """Add `--rule greedy` to the command of a bot, before the address."""
    words = read_manifest(bot).run
    command = [*words[:-1], "--rule", "greedy", words[-1]]
    lines = (bot / "bot.toml").read_text().splitlines()
    lines = [f"run = {json.dumps(command)}" if line.startswith("run =") else line for line in lines]
    (bot / "bot.toml").write_text("\n".join(lines) + "\n")


class Made(NamedTuple):
    """A choice: by whom and where it was made, its index, and the index that the rule gives for the transcript."""

    language: str
    fixture: str
    decision: int
    chosen: int
    expected: int


class PlayedLeague:
    """A league of all bots at one game by one rule: played, `batch` matches at once, verified, exported."""

    def __init__(self, folder: Path, bots: Bots, game: str, rule: str, batch: int = 1) -> None:
        self._rule = rule
        self._game = game
        (folder / "league.toml").write_text(f"batch = {batch}\n" + _league(bots, games()[game], rule))
        self._folder = folder
        self.ran = self._league("run")

    @property
    def verified(self) -> Ended:
        """How `league verify` ended."""
        return self._league("verify")

    @property
    def table(self) -> Any:
        """The standings."""
        return self._league("standings", "--json").json

    @property
    def broken_batches(self) -> dict[str, int]:
        """How many batches each entry broke."""
        with Store(f"sqlite:///{self._folder / 'league.sqlite'}", "languages") as store:
            return store.broken_batches()

    def choices(self) -> list[Made]:
        """Every choice of every match."""
        return [made for transcript in self._transcripts() for made in self._choices(transcript)]

    def _choices(self, transcript: Transcript) -> Iterator[Made]:
        """The choices of one match."""
        header, entry = transcript.record.header, games()[self._game]
        for step in Replay(entry.game, transcript).steps():
            ask, reply = step.request, step.reply
            if isinstance(ask, Ask) and isinstance(reply, Chosen):
                asked = pb.RefereeMessage.FromString(decision(entry.codec, ask)).decision
                index = expected(self._rule, header.game, bytes.fromhex(header.bot_seeds[ask.seat]), asked)
                language = header.entries[ask.seat].partition("@")[0]
                yield Made(language, header.fixture, ask.number, reply.index, index)

    def _transcripts(self) -> Iterator[Transcript]:
        self._league("export", "exported")
        for path in sorted((self._folder / "exported" / "transcripts").rglob("*.json")):
            yield from_file(path.read_bytes())[0]

    def _league(self, command: str, *arguments: str) -> Ended:
        return run("league", command, "league.toml", *arguments, folder=self._folder)


def _league(bots: Bots, entry: GameEntry, rule: str) -> str:
    game = entry.game.name
    head = f'name = "languages"\ngame = "{game}"\ndeals = 3\nrehearsal = true\nseed = "languages"\n\n'
    paths = "".join(f'[[bots]]\npath = "{bots.path(language, rule)}"\n\n' for language in bots.languages)
    # Any other game is played with its default options and the fewest seats.
    seats = min(entry.game.seats(entry.game.options_type()))
    tables = AGENT_AVENUE if game == "agent-avenue" else f'[[tables]]\nname = "default"\nseats = {seats}\n'
    return head + paths + tables
