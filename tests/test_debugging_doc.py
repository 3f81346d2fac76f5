"""What docs/debugging-a-bot.md shows is what the commands print."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import REFEREE, referee
from tests.runtime.rogues import eventually
from tests.tournaments.arena import write_league

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "debugging-a-bot.md").read_text()
(CHOOSE,) = re.findall(r"^```python\n((?:.|\n)*?)^```$", TEXT, re.MULTILINE)
(PLAYED, STEPPED, AGAIN) = re.findall(r"^```\n\$ (.+)\n((?:.|\n)*?)^```$", TEXT, re.MULTILINE)


COMMANDS = [" ".join(found.split()) for found in re.findall(r"`(referee [^`]+)`", TEXT)]
"""Those in the text, beside the blocks."""


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a new folder, the bots of the page."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sample_bots").symlink_to(ROOT / "sample_bots")
    assert COMMANDS[0] == "referee new python mybot"
    assert referee(*COMMANDS[0].split()[1:]).code == 0
    program = Path("mybot/bot.py").read_text()
    before, after = program.index("def choose"), program.index("seed = 0\n")
    Path("mybot/bot.py").write_text(f"{program[:before]}{CHOOSE}\n\n{program[after:]}")
    shutil.copytree("mybot", "mybot-2")
    for name, old, new in (("bot.py", '("CODEBREAKER", "DAREDEVIL")', '("CODEBREAKER",)'), ("bot.toml", '"1"', '"2"')):
        changed = Path("mybot-2", name).read_text().replace(old, new)
        assert new in changed
        Path("mybot-2", name).write_text(changed)


@pytest.mark.process
@pytest.mark.usefixtures("bots")
def test_the_commands_print_what_is_shown(cache: Path) -> None:
    for command, output in (PLAYED, AGAIN):
        told = referee(*shlex.split(command)[1:]).out
        assert told.replace(str(cache), "~/.cache") == output
    stepped = subprocess.run(
        ["sh", "-c", STEPPED[0].replace("referee", shlex.quote(str(REFEREE)), 1)],
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert stepped.stdout == STEPPED[1]


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.usefixtures("bots", "cache")
def test_every_command_in_the_text_runs(tmp_path: Path) -> None:
    write_league(tmp_path / "LEAGUE.toml", [tmp_path / "mybot", ROOT / "sample_bots/python/random"], deals=10)
    assert referee("league", "run", "LEAGUE.toml", "--workers", "1").code == 0
    lost = referee("league", "matches", "LEAGUE.toml", "--bot", "mybot@1", "--result", "lost").out
    placeholders = {"BOT": "mybot@1", "MATCH": lost.split()[0]}
    assert len(COMMANDS) > 7
    for command in COMMANDS[1:]:
        ended = referee(*(placeholders.get(word, word) for word in command.split()[1:]))
        assert ended.code == 0 or (command == "referee doctor" and ended.code == 1), f"{command}: {ended.err}"
        assert ended.out


@pytest.mark.process
@pytest.mark.usefixtures("bots", "cache")
def test_a_bot_that_somebody_starts_by_hand_is_sent_the_messages(tmp_path: Path) -> None:
    ((start, replay),) = re.findall(r"^(REFEREE_ADDRESS=.*python bot.py) .*\n(referee replay .*)$", TEXT, re.MULTILINE)
    assert referee(*shlex.split(PLAYED[0])[1:]).code == 0
    here = str(tmp_path / "bot.sock")
    start, replay = (words.replace("/tmp/bot.sock", here) for words in (start, replay))  # noqa: S108 - of the page
    words = ["sh", "-c", start.replace(" python ", f" exec {shlex.quote(sys.executable)} ")]
    with subprocess.Popen(words, cwd=ROOT / "sample_bots/python/random") as bot:
        try:
            assert eventually(Path(here).exists)
            ended = referee(*replay.split()[1:])
        finally:
            bot.terminate()
    assert (ended.code, ended.out) == (0, "the same answers as in the record\n")
