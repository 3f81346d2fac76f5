"""The documents name all that users can write, with allowed values and defaults, and nothing else."""

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pytest
import typer
from pydantic.fields import FieldInfo
from typer.core import TyperArgument, TyperGroup

from referee.cli.commands import Commands, app
from referee.core.errors import Exit
from referee.files import entry_arguments
from referee.files.bot_toml import BotToml
from referee.files.file_model import FileModel
from referee.files.manifest import BUILD_OUTPUT, is_for_tools
from referee.match.terms import Clock, EntryTerms
from referee.match.transcript import FaultKind, from_file
from referee.wire.registry import game_entry
from tests.cli.command import BOTS, referee
from tests.example_match import BLOCK, DESCRIBE, DESCRIBED, ENTRY, SEED, block, match_of, spoken
from tests.runtime.remotes import TLS
from tests.runtime.rogues import eventually
from tests.sample_bots.processes import Running, with_bot
from tests.sample_bots.rules import fnv1a
from tests.tournaments.leagues import plan
from tournaments.config import league_keys
from tournaments.config.league_file import read_league
from tournaments.league.model import MATCHES_A_START

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "sample_bots/**/*.md")
    for path in ROOT.glob(pattern)
    # A built bot contains other projects' documents, too.
    if not any(part in BUILD_OUTPUT or is_for_tools(part) for part in path.relative_to(ROOT).parts)
)

LEAGUE_FILE: dict[str, type[FileModel]] = {
    "The league": league_keys.Head,
    "`[sandbox]`": league_keys.SandboxPart,
    "`[clock]`": league_keys.ClockPart,
    "`[folders]`": league_keys.FoldersPart,
    "`[submissions]`": league_keys.SubmissionsPart,
    "`[service]`": league_keys.ServicePart,
    "`[prices]`": league_keys.PricePart,
    "`[visitors]`": league_keys.VisitorsPart,
    "`[rating]`": league_keys.RatingPart,
    "`[notify]`": league_keys.NotifyPart,
    "`[[bots]]` in a folder": league_keys.FolderPart,
    "`[[bots]]` at an address": league_keys.RemotePart,
    "`[[tables]]`": league_keys.TablePart,
}
OWN_SECTIONS = {
    "sandbox",
    "clock",
    "folders",
    "format",
    "rating",
    "notify",
    "prices",
    "visitors",
    "service",
    "submissions",
    "bots",
    "tables",
}


@cache
def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def sections(text: str, level: int) -> dict[str, str]:
    """The text under each heading of a level."""
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
    models = {model for model in FileModel.__subclasses__() if model.__module__ == league_keys.__name__}
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


def test_the_keys_of_a_bot_toml_are_documented_all_and_no_others_with_their_values() -> None:
    described = rows(sections(text_of("docs/bot-toml.md"), 2)["bot.toml"])
    assert set(described) == set(BotToml.model_fields)
    for key, field in BotToml.model_fields.items():
        value, _, default = described[key].rpartition(" | ")
        assert [word for word in allowed(field.annotation) if f"`{word}`" not in value] == []
        assert (default.strip() == "required") == field.is_required()


def test_the_match_in_the_docs_is_what_the_referee_sends() -> None:
    found = BLOCK.search(text_of("docs/bot-example.md"))
    assert found
    assert found[0] == block(), "write it anew: .venv/bin/python -m tests.example_match"


@pytest.mark.process
def test_the_starter_describes_itself_in_the_bytes_of_the_docs() -> None:
    async def test(bot: Running) -> None:
        described = await bot.stub.Describe(DESCRIBE, wait_for_ready=True)
        assert described.SerializeToString() == DESCRIBED.SerializeToString()

    with_bot("starter", test)


@pytest.mark.process
def test_the_command_of_the_docs_plays_the_match_of_the_docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    section = sections(text_of("docs/bot-example.md"), 2)["The match"]
    (command,) = re.findall(r"^referee (play .+)$", section, re.MULTILINE)
    (tmp_path / "sample_bots").symlink_to(ROOT / "sample_bots")
    monkeypatch.chdir(tmp_path)
    assert referee(*command.split()).code == 0
    transcript, _ = from_file((tmp_path / "match.json").read_bytes())
    match = match_of(SEED)
    answers = [answer.choice.index for _, _, answer in spoken(match) if answer and answer.HasField("choice")]
    assert transcript.record.header == match.header
    assert [choice.index for choice in transcript.record.choices] == answers


def test_the_match_of_the_docs_has_an_index_of_0_and_others() -> None:
    shown = {int(index) for index in re.findall(r"^  index: (\d+)$", text_of("docs/bot-example.md"), re.MULTILINE)}
    assert 0 in shown
    assert len(shown) > 1


def test_the_test_vectors_of_the_rule_for_any_game_hold() -> None:
    vectors = re.findall(r"^\| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", text_of("docs/bot-example.md"), re.MULTILINE)
    assert len(vectors) > 1
    for number, value, legal, index in (map(int, vector) for vector in vectors):
        assert value == fnv1a(bytes(range(16)) + number.to_bytes(4, "little"))
        assert index == value % legal


def python_of(document: str) -> list[str]:
    """The blocks of Python of a page."""
    return re.findall(r"^```python\n(.*?)^```$", text_of(document), re.MULTILINE | re.DOTALL)


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.parametrize(("block", "run"), [(1, ["{python}", "bot.py"]), (2, ["{python}", "bot.py", "{address}"])])
def test_each_server_in_python_of_the_docs_serves_the_player_of_the_docs(
    block: int, run: list[str], tmp_path: Path
) -> None:
    about = f'name = "both"\nversion = "1"\nauthor = "t"\ngames = ["agent-avenue"]\nrun = {json.dumps(run)}\n'
    (tmp_path / "bot.toml").write_text(about)
    python = python_of("docs/writing-a-bot.md")
    assert len(python) == 3
    (tmp_path / "player.py").write_text(python[0])
    (tmp_path / "bot.py").write_text(python[block])
    ended = referee("check", tmp_path, "--sandbox", "none", "--json")
    assert [point for point in ended.json["games"]["agent-avenue"] if not point["kept"]] == []


@pytest.mark.slow
@pytest.mark.process
def test_the_python_of_the_docs_plays_over_tls_with_a_token(tmp_path: Path) -> None:
    for name, document in (("player.py", "docs/writing-a-bot.md"), ("remote.py", "docs/remote-bots.md")):
        source, *_ = python_of(document)
        (tmp_path / name).write_text(source)
    (tmp_path / "token").touch(mode=0o600)
    (tmp_path / "token").write_text("sesame\n")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    command = [sys.executable, "remote.py", f"localhost:{port}", str(TLS / "bot.pem"), str(TLS / "bot.key")]
    address = f"grpcs://localhost:{port}"
    with subprocess.Popen(command, cwd=tmp_path, env=os.environ | {"REFEREE_TOKEN": "sesame"}) as process:
        try:
            assert eventually(lambda: process.poll() is not None or _listens(port))
            told: list[str | Path] = ["--ca", TLS / "ca.pem", "--token-file", tmp_path / "token"]
            assert referee("play", "agent-avenue", address, BOTS / "random", "--seed", "1", *told).code == 0
            ended = referee("check", address, *told, "--json")
        finally:
            process.kill()
    assert ended.json["bot"] == "mybot@1"
    assert [point for point in ended.json["games"]["agent-avenue"] if not point["kept"]] == []


def _listens(port: int) -> bool:
    with socket.socket() as caller:
        return caller.connect_ex(("localhost", port)) == 0


def commands(group: TyperGroup, path: str = "referee") -> Iterator[tuple[str, Any]]:
    for name, named in group.commands.items():
        command = group.load(name) if isinstance(group, Commands) else named
        if isinstance(command, TyperGroup):
            yield from commands(command, f"{path} {name}")
        else:
            yield f"{path} {name}", command


@cache
def command_line() -> dict[str, Any]:
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    return dict(commands(group))


@cache
def documented_commands() -> dict[str, str]:
    """By command, its heading and the text under it."""
    found = {}
    for heading, text in sections(text_of("docs/cli.md"), 3).items():
        words = heading.strip("`").split()
        if words[0] != "referee":
            continue
        name = " ".join(words[: 3 if words[1] in {"league", "entry", "people", "store"} else 2])
        found[name] = heading + text.partition("\n## ")[0]
    return found


def test_the_commands_are_documented_all_and_no_others() -> None:
    assert set(documented_commands()) == set(command_line())


def test_the_options_of_a_command_are_documented_all_and_no_others() -> None:
    for name, command in command_line().items():
        options = {option for parameter in command.params for option in parameter.opts if option[0] == "-"}
        assert set(re.findall(r"--[a-z][a-z-]*", documented_commands()[name])) == options - {"-h", "--help"}, name


def test_the_arguments_of_a_command_stand_in_its_heading() -> None:
    for name, command in command_line().items():
        arguments = [parameter for parameter in command.params if isinstance(parameter, TyperArgument)]
        heading = documented_commands()[name].partition("\n")[0]
        names = [(argument.metavar or argument.name or "").upper().removesuffix("...") for argument in arguments]
        assert [argument for argument in names if argument.removesuffix(".TOML") not in heading] == [], name


def test_every_exit_code_is_documented() -> None:
    assert {str(code.value) for code in Exit} <= set(re.findall(r"^\| (\d+)", text_of("docs/cli.md"), re.MULTILINE))


def test_every_kind_of_fault_is_documented() -> None:
    assert set(rows(text_of("docs/faults.md"))) == set(FaultKind)


def test_links_lead_somewhere() -> None:
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        targets = re.findall(r"\]\(([^)#]+)\)", text) + re.findall(r'<img\s[^>]*?src="([^"]+)"', text)
        assert [to for to in targets if "://" not in to and not (document.parent / to).exists()] == [], document


def test_links_to_a_section_name_one_that_there_is() -> None:
    for document in DOCUMENTS:
        targets = re.findall(r"\]\(([^):]*)#([^)]+)\)", document.read_text(encoding="utf-8"))
        places = [(f"{to}#{anchor}", anchor, document.parent / to if to else document) for to, anchor in targets]
        assert [link for link, anchor, to in places if anchor not in _anchors(to)] == [], document


@cache
def _anchors(document: Path) -> set[str]:
    """The anchors that GitHub makes of the headings."""
    headings = re.findall(r"^#+ (.+)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_league_file_of_the_docs_is_one_with_ids_and_numbers_of_matches_as_they_are_told(tmp_path: Path) -> None:
    whole, table, _ = re.findall(r"^```toml\n(.*?)^```$", text_of("docs/league-file.md"), re.MULTILINE | re.DOTALL)
    for folder, name in (("mine", "ann"), ("yours", "bob")):
        (tmp_path / "bots" / folder).mkdir(parents=True)
        about = f'name = "{name}"\nversion = "1"\nauthor = "me"\ngames = ["*"]\nrun = ["x"]\n'
        (tmp_path / "bots" / folder / "bot.toml").write_text(about)
    (tmp_path / "leagues").mkdir()
    file = tmp_path / "leagues" / "evening.toml"
    file.write_text(f"{whole}\n{table}".replace("deals = 100", "deals = 50"))
    league = read_league(file, lambda name: game_entry(name).game)
    assert league.tables[1].options["line_up"] == "2v2"
    simple = [fixture for fixture in plan(league) if fixture.table == "simple"]
    assert f"{league.deals} deals are {len(simple)} matches" in text_of("docs/league-file.md")
    assert f"`{simple[0].id}`" in text_of("docs/seeds.md")


def test_the_bots_with_labels_of_the_docs_are_entered_as_they_are_told(tmp_path: Path) -> None:
    text = text_of("docs/league-file.md")
    whole, _, labelled = re.findall(r"^```toml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    for folder in ("mine", "yours"):
        (tmp_path / "bots" / folder).mkdir(parents=True)
        about = f'name = "{folder}"\nversion = "1"\nauthor = "me"\ngames = ["*"]\nrun = ["x"]\n'
        (tmp_path / "bots" / folder / "bot.toml").write_text(about)
    (tmp_path / "leagues").mkdir()
    file = tmp_path / "leagues" / "evening.toml"
    file.write_text(f"{whole}\n{labelled}")
    entered = read_league(file, lambda name: game_entry(name).game).entries[2:]
    first, second = entered
    assert f"these two are `{first.name}` and `{second.name}`" in text
    assert (first.terms, second.terms) == (
        EntryTerms(("--depth", "2")),
        EntryTerms(("--depth", "8"), {"THREADS": "1"}, Clock(move_ms=2000)),
    )


def test_the_reserved_variables_are_documented() -> None:
    row = rows(sections(text_of("docs/league-file.md"), 2)["`[[bots]]` in a folder"])["environment"]
    named = set(re.findall(r"`(\w+)`", row.partition("Reserved")[2]))
    assert named == {*entry_arguments._RESERVED, *entry_arguments._RESERVED_BEGINNINGS}


def test_the_fixture_id_of_play_in_the_docs_is_that_of_play() -> None:
    played = match_of("7").header.fixture.replace(f"{ENTRY}+{ENTRY}", "ann@1+bob@1")
    assert f"`{played}`" in text_of("docs/seeds.md")


def test_it_is_said_how_many_matches_a_process_plays() -> None:
    assert f"a process plays up to {MATCHES_A_START} matches" in rows(text_of("docs/league-file.md"))["fresh"]
