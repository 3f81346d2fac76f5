"""Leagues of two honest bots, and what became of them on a busy machine."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from referee.match.starvation import Starvation
from tests.busy.watched import noted
from tests.tournaments.arena import BOT
from tournaments.results.league_location import league_in, store_of
from tournaments.results.stored_league import open_results
from tournaments.store import Store

_ROOT = Path(__file__).parents[2]
_MODULES = (
    BOT.relative_to(_ROOT),
    *map(Path, ("tests/bots/by_hand.py", "tests/rogues/bots/bot.py", "tests/rogues/bots/frames.py")),
)
"""What a bot consists of."""
_BOXED = '{ kind = "bubblewrap", memory_mib = 2_000 }'
_HEAD = """\
name = "busy"
game = "agent-avenue"
deals = {deals}
seed = "15"
rehearsal = true
sandbox = {sandbox}
fresh = {fresh}
clock = {{ {clock} }}
tables = [{{ name = "simple", seats = 2 }}]
"""


class Terms(NamedTuple):
    """How a league is played.

    Attributes:
        deals: how many; each is played twice.
        clock: its keys in a league file; what is left out has its default.
        fresh: whether every match starts its own processes.
        boxed: whether the bots are confined.
        workers: how many.
        thinking_ms: how long the bots sleep at every decision.
    """

    deals: int
    clock: str = "move_ms = 10_000"
    fresh: bool = False
    boxed: bool = True
    workers: int = 1
    thinking_ms: int = 0


class Seen(NamedTuple):
    """What became of a league.

    Attributes:
        code: how the command ended.
        printed: what it printed.
        digests: of the records, by fixture.
        faults: of all matches, in words.
        voids: why matches were void.
        longest_us: the longest that a bot was charged for a decision, in microseconds.
        kept: the moments in which the machine kept bots from answering.
    """

    code: int
    printed: str
    digests: dict[str, str]
    faults: list[str]
    voids: list[str]
    longest_us: int
    kept: list[Starvation]

    @property
    def counts(self) -> dict[str, object]:
        """How often each rule acted."""
        return {
            "matches": len(self.digests),
            "faults": len(self.faults),
            "void for the machine's sake": sum("too busy" in reason for reason in self.voids),
            "void for other reasons": sum("too busy" not in reason for reason in self.voids),
            "times held back": len(self.kept),
            "s waited for others": _seconds(happened.waited_ns for happened in self.kept),
            "s slept by the referee": _seconds(happened.asleep_ns for happened in self.kept),
            "s given back": _seconds(happened.kept_ns for happened in self.kept),
            "ms charged at most for a decision": self.longest_us // 1_000,
        }


class Running:
    """A league that is played by processes of its own, in a process group of its own."""

    def __init__(self, folder: Path, terms: Terms) -> None:
        """Begin to play it in `folder`, which is made. The paths of sockets must be short, so its own must be."""
        self._folder = folder
        folder.mkdir()
        (folder / "tmp").mkdir()
        for name in ("ann", "bob"):
            _write_bot(folder / name, name, terms.thinking_ms)
        self._file = folder / "league.toml"
        self._file.write_text(_head(terms) + "".join(f'[[bots]]\npath = "{name}"\n' for name in ("ann", "bob")))
        words = [str(folder / "notes"), "league", "run", self._file.name, "--workers", str(terms.workers)]
        with (folder / "output").open("w") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.busy.watched", *words],
                cwd=folder,
                env=os.environ | {"TMPDIR": str(folder / "tmp"), "PYTHONPATH": str(_ROOT)},
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def seen(self) -> Seen:
        """Wait for its end."""
        code = self.process.wait()
        league = league_in(self._file)
        store = store_of(league, self._file).replace("///", f"///{self._folder}/")
        with Store(store, league.name) as opened:
            voids = [void.reason for void in opened.voids()]
        with open_results(league, store) as results:
            transcripts = [transcript for _, transcript in results.store.transcripts()]
            return Seen(
                code,
                (self._folder / "output").read_text(),
                {played.fixture: played.digest for played in results.matches()},
                [
                    f"{transcript.record.header.entries[remark.seat]}: {remark.text}"
                    for transcript in transcripts
                    for remark in transcript.metadata.remarks
                ],
                voids,
                max(spent.us for transcript in transcripts for spent in transcript.metadata.spent),
                noted(self._folder / "notes"),
            )


def played(terms: Sequence[Terms]) -> list[Seen]:
    """Play leagues, all at the same time."""
    with TemporaryDirectory(prefix="bz-") as top:
        running = [Running(Path(top) / str(number), each) for number, each in enumerate(terms)]
        return [league.seen() for league in running]


@cache
def undisturbed(deals: int) -> dict[str, str]:
    """The digests of a league by fixture, when it has time. How its bots are started and confined changes nothing."""
    (seen,) = played([Terms(deals, "move_ms = 300_000, start_ms = 300_000", boxed=False, workers=2)])
    assert seen.code == 0, seen.printed
    assert (seen.faults, seen.voids) == ([], [])
    return seen.digests


def assert_nobody_paid(seen: Seen, terms: Terms) -> None:
    """Assert that every match was played, with the results of an undisturbed league and without a fault."""
    assert seen.code == 0, seen.printed
    assert seen.faults == []
    assert seen.digests == undisturbed(terms.deals)


def _write_bot(folder: Path, name: str, thinking_ms: int) -> None:
    # The box shows a bot its own folder only, so the folder has all that the bot imports.
    for module in _MODULES:
        (folder / module).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(_ROOT / module, folder / module)
    words = ["{python}", str(BOT.relative_to(_ROOT)), "{address}", name, "/dev/null", str(thinking_ms)]
    (folder / "bot.toml").write_text(
        f'name = "{name}"\nversion = "1"\nauthor = "tests"\ngames = ["*"]\nrun = {json.dumps(words)}\n'
    )


def _head(terms: Terms) -> str:
    sandbox, fresh = _BOXED if terms.boxed else '"none"', str(terms.fresh).lower()
    return _HEAD.format(deals=terms.deals, sandbox=sandbox, fresh=fresh, clock=terms.clock)


def _seconds(nanoseconds: Iterable[int]) -> str:
    return f"{sum(nanoseconds) / 1e9:.1f}"
