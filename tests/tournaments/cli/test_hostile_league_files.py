"""Whatever a league file says, it is a league or gets sentences. An exception is a bug."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from referee.core.errors import Exit
from tests.cli.command import referee
from tests.conftest import Tell
from tests.mutations import batches, noting
from tests.tournaments.cli.test_hostile_stores import copied, whole  # noqa: F401 - a fixture
from tests.tournaments.cli.test_store_format import url_of

VALUES = (
    *(
        '""',
        '"x"',
        '"\\u0000"',
        '"\\u001b[2J"',
        "0",
        "-1",
        "99999999999",
        str(1 << 63),
        "9" * 5_000,
        "0.5",
        "inf",
        "nan",
    ),
    *("true", "[]", "{}", "[[]]", '["a"]', "{a=1}", f"[[{'1,' * 2_000}]]", f'"{"é" * 300}"', f'"{"a" * 5_000}"'),
    *("0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "07:32:00", "1979-05-27", '"../../etc/passwd"'),
    *('"/dev/zero"', '"swiss"', '"7"', '"greedy@1"', '"sqlite:///x"', '"postgresql://u:p@h/d"', '"grpc://h:1"'),
)
COMMANDS = ("league status", "league standings", "league rounds", "entries", "site", "league report")


def hostile(text: str, rng: Random) -> str:
    """A league file like this one, wrong in a few lines."""
    lines = text.split("\n")
    for _ in range(rng.choice((1, 1, 2, 3))):
        at = rng.randrange(len(lines))
        key, equals, _ = lines[at].partition("=")
        other = (
            [f"{key}= {rng.choice(VALUES)}"] if equals and rng.random() < 0.8 else rng.sample(lines, rng.randrange(3))
        )
        lines[at : at + 1] = other or [""]
    changed = "\n".join(lines)
    at = rng.randrange(len(changed)) if rng.random() < 0.1 else len(changed)
    return changed[:at] + rng.choice(('"', "[", "\0", "\x80", "=", "{", "\r", "#")) * (at < len(changed)) + changed[at:]


@pytest.mark.parametrize("seeds", batches(each=15))
def test_no_hostile_league_file_ends_a_command_with_an_exception(
    whole: Path,  # noqa: F811 - the fixture
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    tell: Tell,
    seeds: range,
) -> None:
    monkeypatch.chdir(tmp_path)
    file = copied(whole, tmp_path / "hostile", whole.with_suffix(".sqlite").read_bytes())
    codes = Counter[str]()
    for seed in seeds:
        rng = Random(seed)
        file.write_text(hostile(whole.read_text(), rng))
        command = rng.choice(COMMANDS)
        with noting(f"{command}, seed {seed}"):
            new = ("new",) if command in {"site", "league report"} else ()
            code = referee(*command.split(), file, *new, "--store", url_of(file)).code
            assert code in {Exit.DONE, Exit.WRONG_USE, Exit.OUR_FAILURE}
            codes[f"ended with {code}"] += 1
    tell("commands that read hostile league files", codes)


@pytest.mark.parametrize("command", ["league status NAME", "verify NAME", "check NAME", "new python NAME"])
def test_a_name_that_is_too_long_for_a_file_is_refused_in_one_sentence(command: str) -> None:
    ended = referee(*command.replace("NAME", "x" * 300).split())
    assert (ended.code, ended.out) == (Exit.WRONG_USE, "")
    assert len(ended.err.splitlines()) == 1
