"""`python -m tests.busy.buying ATTACK MOVE_MS START_MS CORE`: how much time a rogue gains at its second decision.

It plays one match, in the box, on one core, as a worker would. It prints a `Bought` as JSON.
"""

import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import uvloop

from referee.core.bot_limits import SandboxLimits
from referee.core.errors import Void
from referee.match.conversation import Failed, Reply
from referee.match.match import Match, Request
from referee.match.starvation import Starvation
from referee.match.terms import Clock
from referee.runtime import stopwatch
from referee.runtime.host import HostSettings
from referee.runtime.local_bot import read_sources
from referee.runtime.sandbox.bubblewrap import Bubblewrap
from referee.runtime.table import Table
from referee.wire.agent_avenue import entry
from tests.busy.watched import LOOKS, noting
from tests.cli.command import header
from tests.rogues.leagues import HONEST, write_bot

_LIMITS = SandboxLimits(memory_mib=2_000, processes=64)


class Bought(msgspec.Struct):
    """What a rogue gained.

    Attributes:
        verdict: the kind and text of its fault, or why the match is void.
        passed_s: from the question to the verdict.
        kept_s: for how long its clock stood still.
        void: whether the match does not count.
    """

    verdict: str
    passed_s: float
    kept_s: float
    void: bool


class _Asking:
    """Notes when the last question was asked that was not answered, and what its clock did since."""

    def __init__(self) -> None:
        self._since_s = time.monotonic()
        self._passed_s: float | None = None
        self.kept: list[Starvation] = []

    def __call__(self, _match: Match, _request: Request, reply: Reply | None) -> None:
        """Note a reply, after which the next question comes."""
        if isinstance(reply, Failed):
            self._passed_s = self.passed_s
        elif self._passed_s is None:
            self._since_s = time.monotonic()
            self.kept.clear()

    @property
    def passed_s(self) -> float:
        """From the question to the fault, or until now."""
        return time.monotonic() - self._since_s if self._passed_s is None else self._passed_s


async def _play(attack: str, clock: Clock, folder: Path) -> Bought:
    asking = _Asking()
    for name in LOOKS:
        setattr(stopwatch, name, noting(getattr(stopwatch, name), asking.kept.append))
    given: dict[str, object] = {"league": "", "opponent": "", "victim": 0, "port": 0, "mark": folder.name}
    bots = []
    for rule, (name, does) in enumerate((("rogue", attack), ("ann", HONEST)), start=1):
        write_bot(folder / name, rule, does, given, "unix")
        bots.append(read_sources(folder / name))
    (folder / "run").mkdir()
    table = Table(bots, HostSettings(folder / "run", Bubblewrap(_LIMITS, ()), clock.start_ms))
    void = False
    try:
        played = await table.play(entry, header(entries=tuple(bot.entry for bot in bots)), clock, asking)
        verdict = "; ".join(
            f"{mark.kind}: {remark.text}"
            for mark, remark in zip(played.record.faults, played.metadata.remarks, strict=True)
        )
    except Void as reason:
        void, verdict = True, str(reason)
    finally:
        passed_s = asking.passed_s
        await table.stop()
    return Bought(verdict, passed_s, sum(happened.kept_ns for happened in asking.kept) / 1e9, void)


def bought(attack: str, clock: Clock, core: int) -> Bought:
    """How much time a rogue gains on this core."""
    words = ["-m", "tests.busy.buying", attack, str(clock.move_ms), str(clock.start_ms), str(core)]
    ended = subprocess.run([sys.executable, *words], capture_output=True, start_new_session=True, check=False)
    assert ended.returncode == 0, ended.stderr.decode()
    return msgspec.json.decode(ended.stdout, type=Bought)


if __name__ == "__main__":
    attack, move_ms, start_ms, core = sys.argv[1:]
    os.sched_setaffinity(0, {int(core)})
    with TemporaryDirectory(prefix="bz-") as made:
        sys.stdout.buffer.write(
            msgspec.json.encode(uvloop.run(_play(attack, Clock(int(move_ms), start_ms=int(start_ms)), Path(made))))
        )
