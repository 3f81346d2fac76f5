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


def three_changes(folder: Path) -> Repository:
    """A bot, tagged `old`, and three later commits of it: one is as good, one is better, and one crashes."""
    repository = Repository(folder, (BOTS / "random" / "bot.toml").read_text())
    program = (BOTS / "random" / "bot.py").read_text()
    repository.commit(program, "old")
    repository.commit(f"{program}\n# other words, the same play\n", "equal")
    repository.commit((BOTS / "greedy" / "bot.py").read_text(), "better")
    repository.commit("raise SystemExit('no more')\n", "crash")
    return repository
