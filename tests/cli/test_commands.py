"""Commands are found by name, and imported when they are called. A broken one breaks no other."""

import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from referee.api.words import rules
from referee.cli import commands
from tests.cli.command import referee

Register = Callable[..., None]

MODULE = '''"""`referee NAME`: greet and part."""

import typer

app = typer.Typer()


def greet(name: str) -> None:
    """Greet a person.

    Twice.
    """
    print(f"hello, {name}")


app.command()(greet)


@app.command()
def part() -> None:
    """Part."""
    print("goodbye")
'''


@pytest.fixture
def register(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Register:
    """Install a package that registers commands. For each name it says what to load."""
    monkeypatch.syspath_prepend(tmp_path)

    def install(module: str, text: str, **values: str) -> None:
        (tmp_path / f"{module}.py").write_text(text)
        points = [EntryPoint(name, value, commands.GROUP) for name, value in values.items()]
        monkeypatch.setattr(commands, "entry_points", lambda group: points if group == commands.GROUP else [])

    return install


def test_a_package_adds_a_command_or_a_group_of_them(register: Register) -> None:
    register("greetings", MODULE.replace("NAME", "manners"), greet="greetings:greet", manners="greetings:app")
    assert referee("greet", "Ann").out == "hello, Ann\n"
    assert referee("manners", "part").out == "goodbye\n"
    assert "Usage: referee manners greet" in referee("manners", "greet", "--help").out


def test_the_list_sums_a_command_up_without_importing_it(register: Register) -> None:
    register("greetings_2", "raise RuntimeError('imported')\n" + MODULE, greet="greetings_2:greet")
    listed = referee("--help").out
    assert "Greet a person." in listed
    assert "Twice" not in listed
    register("manners_2", MODULE.replace("NAME", "manners"), manners="manners_2:app")
    assert "Greet and part." in referee("--help").out


@pytest.mark.parametrize(
    ("text", "value", "reason"),
    [
        ("import no_such_package\n", "broken_1:app", "No module named 'no_such_package'"),
        ("1 / 0\n", "broken_2:app", "division by zero"),
        ("def (\n", "broken_3:app", "invalid syntax"),
        ("other = 1\n", "broken_4:app", "module 'broken_4' has no attribute 'app'"),
        ("", "no_such_module:app", "No module named 'no_such_module'"),
    ],
)
def test_one_that_cannot_be_imported_is_one_sentence_and_breaks_no_other(
    register: Register, text: str, value: str, reason: str
) -> None:
    register(value.partition(":")[0] if "such" not in value else "nothing", text, broken=value)
    ended = referee("broken", "--help")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(f"the command broken cannot be loaded from {value}: {reason}")
    assert len(ended.err.splitlines()) == 1
    assert "broken" in referee("--help").out
    assert referee("games").code == 0


def test_a_package_cannot_take_the_name_of_one_of_ours(register: Register) -> None:
    register("greetings_3", MODULE, games="greetings_3:greet")
    assert "agent-avenue" in referee("games").out


@pytest.mark.parametrize("words", [["--help"], ["league", "--help"]])
def test_to_list_commands_nothing_of_them_is_imported(words: list[str]) -> None:
    script = (
        f"import contextlib, sys; sys.argv = ['referee', *{words}]\n"
        "from referee.cli.main import main\n"
        "with contextlib.suppress(SystemExit): main()\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = set(done.stderr.split())
    assert "compare" in done.stdout
    assert loaded.isdisjoint({"grpc", "google", "sqlalchemy", "trueskill", "uvloop"})  # typer imports pydantic itself


def test_each_group_is_summed_up_by_what_it_is_for() -> None:
    words = " ".join(referee("--help").out.replace("│", " ").split())
    for summary in ("people Say who has an account", "entry Show a submitted bot", "league Run a league and print"):
        assert summary in words


def test_the_rules_of_a_game_are_printed_in_words() -> None:
    told = referee("games", "agent-avenue", "--rules")
    assert (told.code, told.out.strip()) == (0, rules("agent-avenue").strip())
    assert referee("games", "--rules").err == "--rules is for one game; give its name: referee games NAME --rules\n"
