"""One bot in every way to talk to the referee: the same name, the same rule, and so the same matches.

The rule is that of the starters that read lines (docs/line-bots.md).
"""

import json
from pathlib import Path

from referee.core.game import AnyGame
from referee.match.conversation import Chosen, Reply
from referee.match.match import Ask
from referee.match.terms import Clock
from referee.match.transcript import Header, Transcript
from referee.wire.registry import games
from tests.tournaments.fakes import Bot, play_in_process

PROTOCOLS = ("grpc", "lines", "flat")

SERVES = """\
from referee_bot import serve


class Player:
    def __init__(self, start):
        self.seed = int.from_bytes(start.seed[:4], "little") >> 1

    def choose(self, decision):
        x = self.seed % 9973 + 7 * decision.number
        return x * x % 9973 % len(decision.legal)


serve(Player)
"""

READS_LINES = """\
import json
import sys

seeds = {}
for line in sys.stdin:
    message = json.loads(line)
    match = message.get("match")
    if message["type"] == "start":
        seeds[match] = message["seed"]
        print("ready", flush=True)
    elif message["type"] == "decide":
        x = seeds[match] % 9973 + 7 * message["number"]
        print(x * x % 9973 % len(message["legal"]), flush=True)
"""

READS_FLAT = """\
import sys

seeds, value = {}, {}
for line in sys.stdin:
    path, _, text = line.rstrip("\\n").partition(" ")
    if path == "type":
        value = {}
    value[path] = text
    if path == "go" and value["type"] == "start":
        seeds[value.get("match")] = int(value["seed"])
        print("ready", flush=True)
    elif path == "go":
        x = seeds[value.get("match")] % 9973 + 7 * int(value["number"])
        print(x * x % 9973 % int(value["legal"]), flush=True)
"""

_PROGRAMS = {"grpc": SERVES, "lines": READS_LINES, "flat": READS_FLAT}


def write_alike(folder: Path, protocol: str, name: str = "alike") -> Path:
    """The folder of the bot that talks so. It takes batches."""
    folder.mkdir(parents=True)
    (folder / "bot.py").write_text(_PROGRAMS[protocol])
    head = f'name = {json.dumps(name)}\nversion = "1"\nauthor = "the tests"\ngames = ["*"]\n'
    talks = "" if protocol == "grpc" else f'protocol = "{protocol}"\nmax_batch = 64\n'
    (folder / "bot.toml").write_text(f'{head}{talks}run = ["{{python}}", "bot.py"]\n')
    return folder


def chooses(ask: Ask, seed: str) -> Reply:
    """What the bot chooses, without its process."""
    x = (int.from_bytes(bytes.fromhex(seed)[:4], "little") >> 1) % 9973 + 7 * ask.number
    return Chosen(x * x % 9973 % len(ask.legal))


def by_rule(header: Header, game: AnyGame | None = None, first: Bot = chooses) -> Transcript:
    """The match of a header, without processes; somebody else may have the first seat."""
    others = [chooses] * (len(header.entries) - 1)
    return play_in_process(game or games()[header.game].game, header, Clock(), [first, *others])


def assert_by_rule(transcript: Transcript, game: AnyGame | None = None, first: Bot = chooses) -> None:
    """Assert that a match is the one that `by_rule` plays, and so the one over gRPC."""
    assert transcript.record.faults == ()
    assert transcript.digest == by_rule(transcript.record.header, game, first).digest
