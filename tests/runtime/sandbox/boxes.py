"""Bots in boxes of bubblewrap."""

import json
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import uvloop

from referee.core.bot_limits import SandboxLimits
from referee.runtime.bot_process import BotProcess
from referee.runtime.host import HostSettings
from referee.runtime.local_bot import LocalBot
from referee.runtime.sandbox.bubblewrap import Bubblewrap
from referee.runtime.sandbox.self_test import obstacle
from tests.needed import needs
from tests.runtime.rogues import PATIENT, bot_that_runs, run_folder, use

PROBER = Path(__file__).with_name("prober.py")
HINDRANCE = obstacle()

needs_boxes = needs(f"boxes: {HINDRANCE.what if HINDRANCE else None}", there=HINDRANCE is None)


def with_boxed(bot: LocalBot, test: Callable[[BotProcess], Awaitable[None]], box: Bubblewrap) -> None:
    """Let `test` use the process of a bot in a box. Nothing may be left of it."""

    with run_folder() as run_dir:
        uvloop.run(use(bot, HostSettings(run_dir, box, PATIENT.start_ms), test))


def prober(folder: Path, *words: str) -> LocalBot:
    """A bot whose program lies in its folder and tries something."""
    folder.mkdir(exist_ok=True)
    shutil.copy(PROBER, folder)
    return bot_that_runs(folder, "{python}", PROBER.name, *words)


def probe(folder: Path, *words: str, limits: SandboxLimits = SandboxLimits(), read: tuple[Path, ...] = ()) -> Any:  # noqa: B008 - a value
    """What a bot in a box found when it tried something."""
    found: list[Any] = []

    async def test(process: BotProcess) -> None:
        while not process._tail._bytes.endswith(b"\n"):
            assert process.exit_status is None, process._tail.text()
            await process.wait(0.01)
        found.append(json.loads(process._tail.text()))

    with_boxed(prober(folder, *words), test, Bubblewrap(limits, read))
    return found[0]
