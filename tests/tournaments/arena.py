"""Leagues with real processes: bots that note every match they begin, league files, and living processes."""

import contextlib
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from referee.match.conversation import Chosen, Reply
from referee.match.match import Ask
from tournaments.league.model import League
from tournaments.play.bots import bot_of
from tournaments.play.workers.worker_messages import Work, work_of

BOT = Path(__file__).with_name("counting_bot.py")

PATIENT = "[clock]\nmove_ms = 300_000\nstart_ms = 300_000\n"
"""No bot should run out of time, however busy the machine is."""


def write_bot(folder: Path, name: str, log: Path, delay_ms: int = 0) -> Path:
    """A bot's folder. At every MatchStart the bot appends its name and the match's id to `log`."""
    folder.mkdir(parents=True)
    words = ["{python}", str(BOT), "{address}", name, str(log), str(delay_ms)]
    (folder / "bot.toml").write_text(
        f'name = "{name}"\nversion = "1"\nauthor = "tests"\ngames = ["*"]\nrun = {json.dumps(words)}\n'
    )
    return folder


def chooses(ask: Ask, seed: str) -> Reply:
    """What this bot chooses, without its process."""
    drawn = bytes.fromhex(seed)
    return Chosen(drawn[ask.number % len(drawn)] % len(ask.legal))


def write_league(file: Path, bots: Iterable[Path], deals: int, more: str = "") -> Path:
    """A league file of Agent Avenue. `more` has further lines for its head."""
    sandbox = "" if "sandbox" in more else 'sandbox = "none"\n'
    head = f'name = "{file.stem}"\ngame = "agent-avenue"\ndeals = {deals}\nrehearsal = true\n'
    seed = "" if "seed" in more else 'seed = "7"\n'
    parts = "".join(f"[[bots]]\npath = {json.dumps(str(bot))}\n" for bot in bots)
    file.write_text(f'{head}{seed}{sandbox}{more}\n{PATIENT}{parts}[[tables]]\nname = "simple"\nseats = 2\n')
    return file


def work(league: League) -> Work:
    """The settings for workers that play the league with its bots."""
    return work_of(league, {entry.name: bot_of(entry, league.folders) for entry in league.entries})


def starts(log: Path, name: str) -> Counter[str]:
    """By the match's id, how many MatchStarts a bot has received."""
    if not log.exists():
        return Counter()
    lines = (line.split() for line in log.read_text().splitlines())
    return Counter(match_id for bot, match_id in lines if bot == name)


def alive(scratch: Path) -> list[str]:
    """The command lines of all processes that were started with `scratch` in their command or environment."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            with contextlib.suppress(OSError):  # it ended while we looked
                command = (process / "cmdline").read_bytes()
                if str(scratch).encode() in command + (process / "environ").read_bytes():
                    found.append(command.replace(b"\0", b" ").decode())
    return found
