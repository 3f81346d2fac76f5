"""Git repositories with a bot in `bots/mine`."""

import subprocess
from pathlib import Path

from tests.cli.command import BOTS


class Repository:
    """A repository with the folder of a bot."""

    def __init__(self, folder: Path, manifest: str) -> None:
        self.folder = folder
        self.bot = folder / "bots" / "mine"
        self.bot.mkdir(parents=True)
        (self.bot / "bot.toml").write_text(manifest)
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *words: str) -> str:
        who = ("-c", "user.name=a", "-c", "user.email=a@b")
        done = subprocess.run(["git", *who, *words], cwd=self.folder, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def commit(self, program: str, tag: str | None = None) -> str:
        """The id of a new commit, in which the bot has this program."""
        (self.bot / "bot.py").write_text(program)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "another one")
        if tag is not None:
            self.git("tag", tag)
        return self.git("rev-parse", "HEAD")


_SERVE = """
if __name__ == "__main__":
    from referee_bot import serve

    serve(Player)
"""
_SOMETIMES = """
import sys
from random import Random


class Player(Player):
    def __init__(self, start):
        super().__init__(start)
        self.random = Random(start.seed)

    def choose(self, decision):
        if self.random.random() < {often}:
            return super().choose(decision)
        return self.random.randrange(len(decision.legal))
"""
OFTEN = 0.32
"""So often the better bot chooses as `greedy` does, else as `random` does: it has 0.60 of the points against that."""


def sometimes_greedy(often: str) -> str:
    """The program of a bot that chooses as `greedy` does with a chance, an expression, and else as `random` does."""
    return (BOTS / "greedy" / "player.py").read_text() + _SOMETIMES.format(often=often) + _SERVE


def three_changes(folder: Path) -> Repository:
    """A bot, tagged `old`, and three later commits of it.

    Against the old one, `equal` has 0.50 of the points and `better` has 0.60. `crash` plays nothing.
    """
    repository = Repository(folder, (BOTS / "random" / "bot.toml").read_text())
    program = (BOTS / "random" / "player.py").read_text() + _SERVE
    repository.commit(program, "old")
    repository.commit(f"{program}\n# other words, the same play\n", "equal")
    repository.commit(sometimes_greedy(str(OFTEN)), "better")
    repository.commit("raise SystemExit('no more')\n", "crash")
    return repository
