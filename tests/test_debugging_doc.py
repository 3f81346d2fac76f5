"""What docs/debugging-a-bot.md shows is what the commands print."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.command import REFEREE, referee

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "debugging-a-bot.md").read_text()
(CHOOSE,) = re.findall(r"^```python\n((?:.|\n)*?)^```$", TEXT, re.MULTILINE)
(PLAYED, STEPPED, AGAIN) = re.findall(r"^```\n\$ (.+)\n((?:.|\n)*?)^```$", TEXT, re.MULTILINE)


@pytest.mark.process
def test_the_commands_print_what_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sample_bots").symlink_to(ROOT / "sample_bots")
    assert referee("new", "python", "mybot").code == 0
    program = Path("mybot/bot.py").read_text()
    before, after = program.index("def choose"), program.index("seed = 0\n")
    Path("mybot/bot.py").write_text(f"{program[:before]}{CHOOSE}\n\n{program[after:]}")
    shutil.copytree("mybot", "mybot-2")
    for name, old, new in (("bot.py", '("CODEBREAKER", "DAREDEVIL")', '("CODEBREAKER",)'), ("bot.toml", '"1"', '"2"')):
        changed = Path("mybot-2", name).read_text().replace(old, new)
        assert new in changed
        Path("mybot-2", name).write_text(changed)
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
