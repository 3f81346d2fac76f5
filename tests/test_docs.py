"""The documents name everything that users can write, with the allowed values and the defaults, and nothing else."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pytest
import typer
from pydantic.fields import FieldInfo
from typer.core import TyperArgument, TyperGroup

from referee.cli.console import Exit
from referee.cli.main import app
from referee.match.transcript import FaultKind
from referee.shell.manifest import Manifest
from referee.shell.problems import FileModel
from tournaments import config
from tournaments.pins import OUTPUT_FOLDERS

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "sample_bots/**/*.md")
    for path in ROOT.glob(pattern)
    if OUTPUT_FOLDERS.isdisjoint(path.relative_to(ROOT).parts)  # a bot that was built has others' documents, too
)

LEAGUE_FILE: dict[str, type[FileModel]] = {
    "The league": config._Head,
    "`[clock]`": config._ClockPart,
    "`[[bots]]`": config._BotPart,
    "`[[tables]]`": config._TablePart,
}
OWN_SECTIONS = {"clock", "bots", "tables"}


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def sections(text: str, level: int) -> dict[str, str]:
    """What stands under each heading of a level."""
    parts = re.split(rf"^{'#' * level} (.+)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def rows(text: str) -> dict[str, str]:
    """The rows of the tables in a text, by the code word in their first column."""
    return {match[1]: match[2] for match in re.finditer(r"^\| `([^`]+)` \|(.+)\|$", text, re.MULTILINE)}


def allowed(kind: Any) -> Iterator[str]:
    if get_origin(kind) is Literal:
        yield from map(json.dumps, get_args(kind))
    elif kind is bool:
        yield from ("true", "false")


def test_every_part_of_a_league_file_is_documented() -> None:
    models = {model for model in FileModel.__subclasses__() if model.__module__ == config.__name__}
    assert models == set(LEAGUE_FILE.values())


@pytest.mark.parametrize("heading", LEAGUE_FILE)
def test_the_keys_of_a_league_file_are_documented_all_and_no_others(heading: str) -> None:
    fields = set(LEAGUE_FILE[heading].model_fields) - (OWN_SECTIONS if heading == "The league" else set())
    assert set(rows(sections(text_of("docs/league-file.md"), 2)[heading])) == fields


@pytest.mark.parametrize("heading", LEAGUE_FILE)
def test_the_keys_of_a_league_file_are_documented_with_their_values_and_defaults(heading: str) -> None:
    described = rows(sections(text_of("docs/league-file.md"), 2)[heading])
    for key, field in LEAGUE_FILE[heading].model_fields.items():
        if key not in OWN_SECTIONS:
            value, default, *_ = described[key].split(" | ")
            assert [word for word in allowed(field.annotation) if f"`{word}`" not in value] == []
            assert default.strip() == _default(key, field)


def _default(key: str, field: FieldInfo) -> str:
    in_words = {"seed": "drawn at the first run", "options": "the game's defaults"}
    if field.is_required():
        return "required"
    return in_words.get(key) or f"`{json.dumps(field.default)}`"


def test_the_keys_of_a_bot_toml_are_documented_all_and_no_others() -> None:
    part = sections(text_of("docs/writing-a-bot.md"), 2)["Start from one that works"]
    assert set(rows(part)) == set(Manifest.model_fields)


def commands(group: TyperGroup, path: str = "referee") -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        if isinstance(command, TyperGroup):
            yield from commands(command, f"{path} {name}")
        else:
            yield f"{path} {name}", command


def command_line() -> dict[str, Any]:
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    return dict(commands(group))


def documented_commands() -> dict[str, str]:
    """By command, its heading and what stands under it."""
    found = {}
    for heading, text in sections(text_of("docs/cli.md"), 3).items():
        words = heading.strip("`").split()
        name = " ".join(words[: 3 if words[1] == "league" else 2])
        found[name] = heading + text.partition("\n## ")[0]
    return found


def test_the_commands_are_documented_all_and_no_others() -> None:
    assert set(documented_commands()) == set(command_line())


@pytest.mark.parametrize("name", command_line())
def test_the_options_of_a_command_are_documented_all_and_no_others(name: str) -> None:
    options = {option for parameter in command_line()[name].params for option in parameter.opts if option[0] == "-"}
    assert set(re.findall(r"--[a-z][a-z-]*", documented_commands()[name])) == options - {"--help"}


@pytest.mark.parametrize("name", command_line())
def test_the_arguments_of_a_command_stand_in_its_heading(name: str) -> None:
    arguments = [parameter for parameter in command_line()[name].params if isinstance(parameter, TyperArgument)]
    heading = documented_commands()[name].partition("\n")[0]
    names = [(argument.metavar or argument.name or "").upper().removesuffix("...") for argument in arguments]
    assert [argument for argument in names if argument.removesuffix(".TOML") not in heading] == []


def test_every_exit_code_is_documented() -> None:
    assert {str(code.value) for code in Exit} <= set(re.findall(r"^\| (\d+)", text_of("docs/cli.md"), re.MULTILINE))


def test_every_kind_of_fault_is_documented() -> None:
    assert set(rows(text_of("docs/faults.md"))) == set(FaultKind)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(document: Path) -> None:
    targets = re.findall(r"\]\(([^)#]+)\)", document.read_text(encoding="utf-8"))
    assert [to for to in targets if "://" not in to and not (document.parent / to).exists()] == []
