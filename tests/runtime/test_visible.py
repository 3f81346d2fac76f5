"""What a bot in a box sees of its own folder, asked of a bot in a box."""

import tempfile
from pathlib import Path

import pytest
import uvloop

from referee.runtime.confinement import confinement
from referee.runtime.host import HostSettings
from referee.runtime.local_bot import read_bot
from tests.runtime.sandbox.boxes import needs_boxes

pytestmark = pytest.mark.process

HIDDEN = (".git/config", "src/__pycache__/x.pyc", "engine/build/secret", "target/debug/y")
SEEN = ("src/x.py", "build/out", "target/release/bot")
LOOK = "find . -follow -type f | sort; touch build/new src/__pycache__/new 2>/dev/null || echo nothing written"
ABOUT = f"""\
name = "x"
version = "1"
author = "the tests"
games = ["*"]
links = ["common"]
output = ["build", "target/release/bot"]
run = ["sh", "-c", "{LOOK}"]
"""


def write(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()


async def words_of(folder: Path, run_dir: Path) -> list[str]:
    """What the bot prints before it ends."""
    hosting = HostSettings(run_dir, confinement("bubblewrap"), 60_000)
    process = await read_bot(folder).host(hosting)
    try:
        await process.ended()
        return (await process.stderr_tail()).splitlines()
    finally:
        await process.kill_now()


@needs_boxes
def test_a_bot_in_a_box_sees_its_sources_its_output_and_what_its_links_lead_to_and_nothing_else(tmp_path: Path) -> None:
    bot = tmp_path / "bot"
    write(bot, *SEEN, *HIDDEN)
    write(tmp_path, "shared/lib.py", "shared/__pycache__/lib.pyc", "secret")
    (bot / "common").symlink_to("../shared")
    (bot / "bot.toml").write_text(ABOUT)
    with tempfile.TemporaryDirectory(prefix="referee-") as run_dir:
        words = uvloop.run(words_of(bot, Path(run_dir)))
    assert words == [f"./{name}" for name in sorted(("bot.toml", "common/lib.py", *SEEN))] + ["nothing written"]
