"""What a bot writes for people in `referee play` and `check`: under its decision, or in a file that is named."""

import base64
import re
import zlib
from pathlib import Path

import pytest

from referee.cli.bot_output import MOST_BYTES
from tests.bots.alike import PROTOCOLS, READS_LINES, write_alike
from tests.cli.command import Ended, referee
from tests.runtime.sandbox.needed import needs_bwrap

pytestmark = pytest.mark.process

_SAYS = {
    "grpc": (
        "        x = self",
        '        print(f"thinks\\x1b about {decision.number}", file=sys.stderr, flush=True)\n',
    ),
    "lines": (
        "        x = seeds",
        "        print(f\"thinks\\x1b about {message['number']}\", file=sys.stderr, flush=True)\n",
    ),
    "flat": (
        "        x = seeds",
        "        print(f\"thinks\\x1b about {value['number']}\", file=sys.stderr, flush=True)\n",
    ),
}


def talker(folder: Path, protocol: str = "lines", name: str = "talker") -> Path:
    """A bot that says for people about which decision it thinks."""
    program = write_alike(folder, protocol, name) / "bot.py"
    before, says = _SAYS[protocol]
    text = program.read_text()
    assert text.count(before) == 1
    program.write_text("import sys\n" + text.replace(before, says + before))
    return folder


def played(*bots: Path, more: tuple[str, ...] = ()) -> Ended:
    sandbox = () if "--sandbox" in more else ("--sandbox", "none")
    limits = ("--seed", "3", "--move-ms", "300000", "--start-ms", "300000")
    return referee("play", "agent-avenue", *bots, *limits, *sandbox, *more)


def assert_each_under_its_decision(shown: str, seat: int) -> None:
    """Assert that after each choice of the seat, and nowhere else, stands what it wrote before it."""
    chosen, told = 0, 0
    for line in shown.splitlines():
        if line.startswith(f"> seat {seat}: "):
            assert told == chosen
            chosen += 1
        if line.startswith(f"  seat {seat} wrote: "):
            told += 1
            assert told == chosen
            assert line == rf"  seat {seat} wrote: thinks\x1b about {told}"
    assert told == chosen > 3


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_with_show_it_stands_under_the_decision_at_which_it_was_written(protocol: str, tmp_path: Path) -> None:
    bots = [talker(tmp_path / protocol, protocol), write_alike(tmp_path / "silent", "lines")]
    shown = played(*bots, more=("--show",))
    assert shown.code == 0, shown.err
    assert_each_under_its_decision(shown.out, 0)
    assert "seat 1 wrote" not in shown.out


def test_a_page_of_the_match_has_it_at_each_decision(tmp_path: Path) -> None:
    bots, page = [talker(tmp_path / "talker"), write_alike(tmp_path / "silent", "lines")], tmp_path / "page.html"
    for more in ((), ("--show",)):
        ended = played(*bots, more=("--html", str(page), *more))
        assert ended.code == 0, ended.err
        assert ("seat 0 wrote: " in ended.out) == bool(more)
        recording = max(re.findall(r'id="recording">([^<]*)', page.read_text()), key=len)  # a script has the words, too
        shown = zlib.decompress(base64.b64decode(recording)).decode()
        told = {int(number) for number in re.findall(r"thinks\W+x1b about (\d+)", shown)}  # once for each view
        assert told == {*range(1, len(told) + 1)}
        assert len(told) > 3


@needs_bwrap
def test_a_box_does_not_keep_it_back(tmp_path: Path) -> None:
    shown = played(*[talker(tmp_path / "talker")] * 2, more=("--show", "--sandbox", "bubblewrap"))
    assert shown.code == 0, shown.err
    for seat in (0, 1):
        assert_each_under_its_decision(shown.out, seat)


def test_the_folders_of_the_bot_and_of_its_interpreter_are_not_in_it(tmp_path: Path, cache: Path) -> None:
    bot = write_alike(tmp_path / "bot", "lines", "broken")
    (bot / "bot.py").write_text(
        "import json\nimport os\nimport sys\n\n"
        "sys.exit(f'{os.path.abspath(\"bot.py\")}: broken in {os.getcwd()}, not {os.getcwd()}2, by {sys.prefix}/bin')\n"
    )
    ended = played(bot, bot)
    told = f"./bot.py: broken in ., not {bot}2, by {{python}}/bin"
    assert (cache / "referee" / "output" / "broken@1.seat-0.txt").read_text() == f"{told}\n"
    assert f"    | {told}" in ended.out


@needs_bwrap
def test_a_file_that_the_box_hides_is_named_if_the_bot_names_it(tmp_path: Path) -> None:
    bot = write_alike(tmp_path / "bot", "lines", "reader")
    long = "print('/etc/' + 'x' * 999, file=sys.stderr)"
    (bot / "bot.py").write_text(f"import sys\nfrom pathlib import Path\n\n{long}\nPath('/etc/hostname').read_text()\n")
    hidden = "reader@1 names /etc/hostname, which its box hides; `read` in a league file can show it\n"
    assert played(bot, bot, more=("--sandbox", "bubblewrap")).err == hidden
    assert played(bot, bot).err == ""
    words = ("check", bot, "--game", "agent-avenue", "--start-ms", "300000")
    assert referee(*words, "--sandbox", "bubblewrap").err == hidden


@pytest.mark.parametrize(
    ("chooses", "point"),
    [
        ("1_000", "chooses legal actions only"),
        ("time.time_ns() // 1000 % len(message['legal'])", "makes the same choices"),
    ],
)
def test_a_match_that_fails_in_a_check_is_kept_as_a_file_that_holds(
    chooses: str, point: str, tmp_path: Path, cache: Path
) -> None:
    bot = write_alike(tmp_path / "bot", "lines", "bad")
    program = READS_LINES.replace("import sys\n", "import sys\nimport time\n", 1)
    (bot / "bot.py").write_text(program.replace('x * x % 9973 % len(message["legal"])', chooses))
    checked = referee("check", bot, "--game", "agent-avenue", "--start-ms", "300000", "--sandbox", "none")
    assert (checked.code, point in checked.out) == (1, True)
    file = cache / "referee" / "output" / "bad@1.check.agent-avenue.json"
    assert checked.out.splitlines()[-1] == f"the match: {file}"
    assert referee("verify", file).code == 0


def test_it_is_kept_in_a_file_that_is_named_and_the_next_match_replaces_it(tmp_path: Path, cache: Path) -> None:
    bots = [write_alike(tmp_path / "silent", "lines", "silent"), talker(tmp_path / "talker", name="kept")]
    for _ in range(2):
        ended = played(*bots)
        file = cache / "referee" / "output" / "kept@1.seat-1.txt"
        lines = file.read_text().splitlines()
        assert lines == [rf"thinks\x1b about {number}" for number in range(1, len(lines) + 1)]
        assert ended.out.splitlines()[-1] == f"what it wrote: {file}"
        assert ended.out.count("what it wrote") == 1
        assert [path.name for path in file.parent.glob("*silent*")] == []
        assert played(*bots, more=("--json",)).json["output"] == [None, str(file)]


def test_of_a_flood_the_beginning_is_kept(tmp_path: Path, cache: Path) -> None:
    flood = write_alike(tmp_path / "flood", "lines", "flood")
    (flood / "bot.py").write_text(
        READS_LINES.replace("import sys\n", 'import sys\n\nfor _ in range(64):\n    sys.stderr.write("x" * 65536)\n', 1)
    )
    assert played(flood, write_alike(tmp_path / "silent", "lines")).code == 0
    assert (cache / "referee" / "output" / "flood@1.seat-0.txt").stat().st_size == MOST_BYTES + 1


def test_where_it_cannot_be_kept_the_match_is_told_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    ended = played(talker(tmp_path / "talker"), write_alike(tmp_path / "silent", "lines"))
    assert (ended.code, "digest: " in ended.out) == (0, True)
    assert ended.err.endswith("the output cannot be written: Not a directory\n")


def test_a_user_without_a_home_plays_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", no_home)
    ended = played(talker(tmp_path / "talker", name="homeless"), write_alike(tmp_path / "silent", "lines"))
    assert (ended.code, "digest: " in ended.out) == (0, True)
    assert ended.err == "homeless@1.seat-0.txt is not kept: Could not determine home directory.\n"


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_what_a_bot_wrote_in_a_check_is_kept(protocol: str, tmp_path: Path, cache: Path) -> None:
    bot, file = talker(tmp_path / "talker", protocol), cache / "referee" / "output" / "talker@1.check.txt"
    words = ("check", bot, "--game", "agent-avenue", "--move-ms", "300000", "--start-ms", "300000", "--sandbox", "none")
    checked = referee(*words)
    assert checked.code == 0, checked.out
    lines = file.read_text().splitlines()
    assert r"thinks\x1b about 1" in lines
    assert checked.out.splitlines()[-1] == f"what it wrote: {file}"
    assert referee(*words, "--json").json["output"] == str(file)
