"""`python -m tests.outputs` writes down the names in all that leaves the process, in tests/outputs.toml.

A rename inside the program must change none of them. tests/test_outputs.py compares. Values are not recorded, but types
are, and words that stand for a type, a state or a kind.
"""

import ast
import asyncio
import contextlib
import inspect
import json
import re
import shutil
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, get_args, get_type_hints
from unittest import mock

import msgspec
import referee_bot
from typer.core import TyperArgument

import referee
from referee.agents.agent_seat import AgentSeat
from referee.drawing.recording import Recording
from referee.files.bot_toml import BotToml
from referee.files.file_model import FileModel
from referee.match.terms import Clock
from referee.match.transcript import to_file
from referee.runtime.sandbox.description import BoxDescription
from referee.runtime.sandbox.runtimes import Runtime
from referee.runtime.sandbox.self_test import SelfTest
from referee.wire.registry import games
from tests import test_docs, test_exports_doc, test_transcripts_doc
from tests.cli.command import BOTS, GAME, UNBOXED, header
from tests.cli.command import referee as run_command
from tests.games.kits import KITS
from tests.project_files import project_files
from tests.tournaments.arena import write_bot, write_league
from tests.tournaments.fakes import FakeExecutor, draws, fails, play_in_process
from tests.tournaments.store.test_format import values as column_values
from tests.tournaments.web.pages.every import FRAME
from tests.tournaments.web.pages.every import pages as every_page
from tests.tournaments.web.test_static_site import whole_site
from tests.tournaments.web.visitors.test_routes import opened, visitor_of
from tests.tournaments.workshops import FakeWorkshop
from tournaments.comparison.memory_evidence import MemoryReport
from tournaments.comparison.pair_flags import PairFlag
from tournaments.comparison.stopping_rule import ComparisonResult
from tournaments.league.format_settings import KINDS as FORMATS
from tournaments.league.status import LeagueStatus
from tournaments.league.submissions import Submission
from tournaments.maintenance.close_league import ClosedLeague
from tournaments.maintenance.forecast import Forecast
from tournaments.maintenance.pruning import PruneResult
from tournaments.maintenance.salvage import SalvageResult
from tournaments.play.bot_logs import BotLog
from tournaments.play.environment import LocalEnvironment
from tournaments.play.events import Event
from tournaments.play.run import open_run
from tournaments.results.crosstable import Crosstable
from tournaments.results.league_location import league_in
from tournaments.results.live_status import LiveSnapshot
from tournaments.results.standings import Standings
from tournaments.schedule.formats import Bracket, SwissStanding
from tournaments.store.schema import TABLES
from tournaments.submissions.build_environment import platform_here
from tournaments.web.pages.rendering import rendered
from tournaments.web.pages.urls import ServedLinks
from tournaments.web.service.app import Service
from tournaments.web.service.event_streams import LiveCounts
from tournaments.web.service.openapi import description
from tournaments.web.service.operations import OPERATIONS
from tournaments.web.service.visitor_routes import ChoiceMessage, SeatUpdate, VisitorRoutes
from tournaments.web.service.worker_messages import WorkBoard
from tournaments.web.visibility.match_view import MatchView

ROOT = Path(__file__).parents[1]
RECORD = ROOT / "tests" / "outputs.toml"
CODE = ("referee/", "tournaments/", "sample_bots/python/library/")
WORDS = {"type", "kind", "message", "state", "stage", "ending", "what", "why", "course", "verdict"}
"""Keys whose texts are words of ours, and no data."""
_WORD = re.compile(r"[a-z][\w -]{,40}", re.IGNORECASE)
_DATA = re.compile(r"[0-9a-f]{8,}|\d+")
_PLAIN = {type(None): "null", bool: "boolean", int: "integer", float: "number", str: "string"}

Schema = Mapping[str, Any]

PRINTED: Mapping[str, Any] = {
    "doctor.bubblewrap": SelfTest,
    "doctor.box": BoxDescription,
    "doctor.runtimes[]": Runtime,
    "entries": Submission,
    "league check": Forecast,
    "league close": ClosedLeague,
    "league compare": ComparisonResult,
    "league crosstable": Crosstable,
    "league matches": MatchView,
    "league prune": PruneResult,
    "league report.memory": MemoryReport,
    "league report.pairs[]": PairFlag,
    "league rounds": Bracket | list[SwissStanding],
    "league salvage": SalvageResult,
    "league standings": Standings,
    "league status": LeagueStatus,
    "league watch": LiveSnapshot,
}
"""By command, what it may print as JSON: also what the leagues here do not have, like machines or forgiven faults."""


class Shapes:
    """The paths of keys in documents, each with the types of its values."""

    def __init__(self) -> None:
        self._types: defaultdict[str, set[str]] = defaultdict(set)
        self._defaults: dict[str, str] = {}

    def add(self, path: str, value: Any) -> None:
        """Add a document. A key that is a name of a bot, a match or the like counts as `*`."""
        if isinstance(value, dict) and value:
            for key, each in value.items():
                place = f"{path}.{key if _WORD.fullmatch(key) else '*'}"
                is_word = key in WORDS and isinstance(each, str) and _WORD.fullmatch(each)
                self._types[place].add(each) if is_word else self.add(place, each)
        elif isinstance(value, list) and value:
            for each in value:
                self.add(f"{path}[]", each)
        else:
            self._types[path].add(_PLAIN.get(type(value), "empty"))

    def add_type(self, path: str, kind: Any) -> None:
        """Add all that msgspec may write of a type."""
        (schema,), components = msgspec.json.schema_components([kind])
        self.add_schema(path, schema, components)

    def add_schema(self, path: str, schema: Schema, known: Schema, above: tuple[str, ...] = ()) -> None:
        """Add a JSON schema. `known` has the schemas to which it may refer; other references are only named."""
        if "default" in schema:
            self._defaults[path] = f", default {json.dumps(schema['default'])}"
        for part in schema.get("anyOf", ()):
            self.add_schema(path, part, known, above)
        for key, part in schema.get("properties", {}).items():
            self.add_schema(f"{path}.{key}", part, known, above)
        for at, part in enumerate(schema.get("prefixItems", ())):
            self.add_schema(f"{path}[{at}]", part, known, above)
        for key, mark in (("items", "[]"), ("additionalProperties", ".*")):
            if isinstance(schema.get(key), dict):
                self.add_schema(path + mark, schema[key], known, above)
        name = schema.get("$ref", "").rpartition("/")[2]
        if name in known and name not in above:
            self.add_schema(path, known[name], known, (*above, name))
        elif name:
            self._types[path].add("as above" if name in above else name)
        else:
            self._add_leaf(path, schema)

    def _add_leaf(self, path: str, schema: Schema) -> None:
        if "enum" in schema or "const" in schema:
            self._types[path].update(map(str, schema.get("enum") or [schema["const"]]))
        elif not {"anyOf", "properties", "prefixItems", "items"} & schema.keys():
            self._types[path].add(str(schema.get("type", "any")))

    def __iter__(self) -> Iterator[str]:
        paths = {**self._defaults, **self._types}
        return (f"{path}: {' | '.join(sorted(self._types[path]))}{self._defaults.get(path, '')}" for path in paths)


def league_file() -> Iterable[str]:
    shapes = Shapes()
    parts: dict[str, type[FileModel]] = {**test_docs.LEAGUE_FILE, "bot.toml": BotToml}
    for heading, model in parts.items():
        schema = model.model_json_schema()
        shapes.add_schema(heading.replace("`", ""), schema, schema.get("$defs", {}))
    for kind, settings in FORMATS.items():
        shapes.add_type(f"[format] {kind}", settings)
    return shapes


def game_words() -> Iterable[str]:
    shapes = Shapes()
    for name in KITS:
        game = games()[name].game
        shapes.add_type(f"{name} options", game.options_type)
        yield from (f"{name} ending {ending}" for ending in game.endings)
    yield from shapes


def commands() -> Iterator[str]:
    for name, command in test_docs.command_line().items():
        yield name
        hints = get_type_hints(command.callback)
        for parameter in command.params:
            kind = inspect.formatannotation(hints[parameter.name])
            default = "required" if parameter.required else f"default {parameter.default}"
            options = " ".join((*parameter.opts, *parameter.secondary_opts))
            names = parameter.metavar or parameter.name if isinstance(parameter, TyperArgument) else options
            yield f"{name} {names}: {kind}, {default}"


def open_api() -> Iterator[str]:
    document, shapes = description(OPERATIONS), Shapes()
    for path, methods in document["paths"].items():
        for method, about in methods.items():
            yield f"{method} {path}: {about['operationId']}, security {about['security']}"
            for each in about["parameters"]:
                shapes.add_schema(f"{method} {path} {each['in']} {each['name']}", each["schema"], {})
            for status, answer in {"body": about.get("requestBody", {}), **about["responses"]}.items():
                for media, content in answer.get("content", {}).items():
                    shapes.add_schema(f"{method} {path} {status} {media}", content["schema"], {})
    for name, schema in document["components"]["schemas"].items():
        shapes.add_schema(f"schema {name}", schema, {})
    yield from shapes


def exports() -> Iterable[str]:
    shapes = Shapes()
    for name, kind in test_exports_doc.DESCRIBED.items():
        if not hasattr(kind, "_fields"):
            shapes.add_type(name, kind)
        else:
            yield from (f"{name} column {column}" for column in kind._fields)
    yield from shapes


def transcripts() -> Iterable[str]:
    shapes = Shapes()
    shapes.add_type("any", test_transcripts_doc.DESCRIBED["The file"])
    for transcript in test_transcripts_doc.transcripts():
        shapes.add(transcript.record.header.game, json.loads(to_file(transcript)))
    return shapes


def protos() -> Iterator[str]:
    for path in (ROOT / "proto" / "referee_bot" / "v1").glob("*.proto"):
        file = import_module(f"referee_bot.v1.{path.stem}_pb2").DESCRIPTOR
        messages = list(file.message_types_by_name.values())
        for message in messages:
            messages += message.nested_types
            yield message.full_name
            for field in message.fields:
                of = field.message_type or field.enum_type
                kind = of.full_name if of else field.type
                many = " repeated" if field.is_repeated else ""
                yield f"{message.full_name}.{field.name} = {field.number}: {kind}{many}"
        for enum in (*file.enum_types_by_name.values(), *(each for it in messages for each in it.enum_types)):
            yield from (f"{enum.full_name}.{value.name} = {value.number}" for value in enum.values)
        for service in file.services_by_name.values():
            for method in service.methods:
                yield f"{method.full_name}({method.input_type.full_name}) {method.output_type.full_name}"


def store() -> Iterator[str]:
    for table in TABLES:
        yield f"table {table.name}"
        for column in table.columns:
            key = " key" if column.primary_key else ""
            yield f"{table.name}.{column.name}: {column.type}{key}{' null' if column.nullable else ''}"
        for index in table.indexes:
            yield f"{table.name} index {index.name}: {', '.join(column.name for column in index.columns)}"
    (schemas, components), *words = column_values()
    shapes = Shapes()
    for at, schema in enumerate(schemas):  # the names of the types stand in no store
        shapes.add_schema(f"value {at}", schema, components)
    yield from shapes
    yield from (f"word {word}" for group in words for word in group)


def events() -> Iterable[str]:
    shapes = Shapes()
    for event in get_args(Event):
        shapes.add_type(f"{event.__struct_config__.tag}", event)
    return shapes


def environment() -> Iterator[str]:
    pattern = re.compile(r"\b(REFEREE_[A-Z_]+)|environ(?:\.\w+)?[\[(]\"(\w+)\"")
    for path in project_files(".py"):
        if path.startswith(CODE):
            for ours, other in pattern.findall((ROOT / path).read_text(encoding="utf-8")):
                yield ours or other


def entry_points() -> Iterator[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    yield from (f"extra {name}" for name in project["optional-dependencies"])
    for group, names in {"scripts": project["scripts"], **project["entry-points"]}.items():
        yield from (f"{group} {name}" for name in names)


def site() -> Iterator[str]:
    shapes = Shapes()
    for league in ("round-robin", "swiss", "knockout", "cooperative", "inside-job"):
        for path, content in whole_site(league).items():
            name = _DATA.sub("N", path)
            yield f"file {name}"
            if path.endswith(".json"):
                shapes.add("in " + re.sub("(/.+?)/.+", r"\1/*", name), json.loads(content))
            elif path.endswith(".html"):
                yield from _attributes(content.decode())
    yield from shapes


def _attributes(page: str) -> Iterator[str]:
    """The names of fields, of elements and of data in a page, which scripts and browsers use."""
    for name, value in re.findall(r'\s(id|name|data-[\w-]+)="([^"]*)"', page):
        yield f"{name}" if name.startswith("data-") else f"{name} {_DATA.sub('N', value)}"


def pages() -> Iterator[str]:
    yield from ("cookie referee", "cookie __Host-referee")
    service = Service({}, WorkBoard(tuple, print), lambda: None)
    for route in service.app.routes:
        yield f"service {' '.join(sorted(getattr(route, 'methods', ['WebSocket'])))} {route.path}"  # type: ignore[attr-defined]

    async def visit(folder: Path) -> str:
        visitor = visitor_of(folder)
        return "".join([(await visitor.get(path)).text for path in ("/", f"/at/{await opened(visitor, 'agonia')}")])

    for route in VisitorRoutes(mock.Mock(), mock.Mock()).routes:
        yield f"visitors {' '.join(sorted(route.methods or ()))} {route.path.removeprefix('/play')}"
    with tempfile.TemporaryDirectory() as folder:
        yield from _attributes(asyncio.run(visit(Path(folder))))
    for page in every_page().values():
        yield from _attributes(rendered(page, FRAME, ServedLinks()))
    sent = re.compile(r'event: (\w+)\\ndata|\bevent\("(\w+)"')
    for path in project_files(".py"):
        if path.startswith("tournaments/web/"):
            for one, other in sent.findall((ROOT / path).read_text(encoding="utf-8")):
                yield f"event {one or other}"
    shapes = Shapes()
    streamed = {"news": SeatUpdate, "choice": ChoiceMessage, "counts": LiveCounts, "recording": Recording}
    for name, kind in streamed.items():
        shapes.add_type(name, kind)
    yield from shapes


def python() -> Iterator[str]:
    for package in (referee, referee_bot):
        for name in package.__all__:
            yield from _public(f"{package.__name__}.{name}", getattr(package, name))
    yield from _public("tools of agents", AgentSeat)
    for module in ("gymnasium", "pettingzoo", "pyspiel"):  # their libraries need not be installed
        for node in ast.parse((ROOT / "referee" / f"{module}.py").read_text(encoding="utf-8")).body:
            for each in (node, *getattr(node, "body", ())):
                if isinstance(each, ast.FunctionDef | ast.ClassDef) and not each.name.startswith("_"):
                    arguments = each.args.args + each.args.kwonlyargs if isinstance(each, ast.FunctionDef) else []
                    yield f"referee.{module} {each.name}({', '.join(it.arg for it in arguments)})"


def _public(name: str, value: Any) -> Iterator[str]:
    with contextlib.suppress(TypeError, ValueError):
        yield f"{name}({', '.join(inspect.signature(value).parameters)})"
    for kind in value.__mro__ if isinstance(value, type) else ():
        if kind.__module__.startswith(("referee.", "referee_bot.")):
            for own in sorted({*vars(kind), *inspect.get_annotations(kind)}):
                if not own.startswith("_"):
                    method = vars(kind).get(own)
                    given = inspect.signature(method).parameters if inspect.isfunction(method) else ()
                    yield f"{name}.{own}" + (f"({', '.join(given)})" if given else "")


# What commands print and write


class Commands:
    """Runs commands, and keeps the shapes of what they print as JSON.

    Attributes:
        folder: the folder of the files that they get.
        shapes: of what they printed.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.shapes = Shapes()

    def __call__(self, name: str, *words: str | Path, under: str = "") -> None:
        """Run `referee NAME WORDS --json`, which prints a document, or a document on each line."""
        ended = run_command(*name.split(), *words, "--json")
        assert ended.out, (name, ended)
        try:
            documents = [json.loads(ended.out)]
        except ValueError:
            documents = [json.loads(line) for line in ended.out.splitlines()]
        for document in documents:
            self.shapes.add(f"{name}{under}", document)


@contextlib.contextmanager
def plays(executor: FakeExecutor) -> Iterator[None]:
    """Let runs play with this executor, and build with a workshop that builds nothing."""
    with (
        mock.patch.object(LocalEnvironment, "executor", return_value=nullcontext(executor)),
        mock.patch.object(LocalEnvironment, "build_environment", return_value=FakeWorkshop(platform_here())),
        mock.patch.object(LocalEnvironment, "wait_ms"),
        mock.patch("tournaments.results.live_status.LOOK_EVERY_S", 0.0),
    ):
        yield


@cache
def printed() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What the commands print as JSON, and the files that they write."""
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        ask = Commands(Path(name, "given"))
        ask.folder.mkdir()
        for part in (_matches, _league, _other_leagues, _submissions):
            part(ask)
        for command, kind in PRINTED.items():
            ask.shapes.add_type(f"{command} may print", kind)
        shutil.rmtree(ask.folder)
        files = {path.relative_to(name).as_posix() for path in Path(name).rglob("*") if path.is_file()}
    return tuple(ask.shapes), tuple(_DATA.sub("N", file) for file in files)


def _matches(ask: Commands) -> None:
    """The commands of single matches. For the points of a check, a bot without a program is enough."""
    file, bots = ask.folder / "match.json", (BOTS / "random", BOTS / "greedy")
    file.write_bytes(to_file(play_in_process(GAME, header(), Clock(), (draws, draws))))
    for command in ("verify", "explain"):
        ask(command, file)
    for at, transcript in enumerate(test_transcripts_doc.transcripts()):
        game = transcript.record.header.game
        other = ask.folder / f"{game}.{at}.json"
        other.write_bytes(to_file(transcript))
        ask("replay", other, under=f" {game}")
    ask("play", "agent-avenue", *bots, "--seed", "7", "--out", "played.json", *UNBOXED)
    ask("play", "agent-avenue", *bots, "--seed", "7", "--batch", "2", *UNBOXED, under=" --batch")
    ask("rerun", "played.json", *UNBOXED)
    (ask.folder / "absent").mkdir()
    shutil.copy(BOTS / "random" / "bot.toml", ask.folder / "absent")
    ask("check", ask.folder / "absent", "--game", "agonia", *UNBOXED)
    ask("check-game", "agent-avenue", "--matches", "1")
    ask("games")
    _doctor(ask.shapes)
    with plays(FakeExecutor(game=GAME)):
        ask("compare", *bots, "--game", "agent-avenue", "--max-deals", "1", "--seed", "7", "--workers", "1", *UNBOXED)


def _doctor(shapes: Shapes) -> None:
    """The keys of what `doctor` prints. Which values are there depends on the machine."""
    for key, value in run_command("doctor", "--json").json.items():
        shapes.add(f"doctor.{key}", dict.fromkeys(value) if isinstance(value, dict) else None)


def _league(ask: Commands) -> None:
    """A league with a suspended bot, void and abandoned matches, and a bot that left."""
    flawed, leaver = (write_bot(ask.folder / name, name, ask.folder / "log") for name in ("flawed", "leaver"))
    file = write_league(ask.folder / "autumn.toml", [BOTS / "random", BOTS / "greedy", flawed, leaver], deals=4)

    def loses(fixture: Any, attempt: int) -> bool:
        is_lost = fixture.deal == 1 and "flawed@1" not in fixture.entries
        return is_lost and (attempt == 1 or fixture.entries[0] == "random@1")

    league = league_in(file)
    with open_run(league, f"sqlite:///{Path('autumn.sqlite').absolute()}", LocalEnvironment()):
        pass
    assert run_command("league", "withdraw", file, "leaver@1", "--yes").code == 0
    executor = FakeExecutor(
        {"flawed@1": fails}, game=GAME, clock=league.clock, loses=loses, busy=lambda it, at: (it.deal, at) == (0, 1)
    )
    with plays(executor):
        run_command("league", "run", file, "--workers", "1", "--log", "events.jsonl", "--report", "report")
    log = BotLog(Path("autumn.sqlite.autumn.logs"), "random@1")
    log.keep(1, "agent-avenue/simple/greedy@1+random@1/deal-0/turn-0", 0, "hello", 0)
    log.close()
    for line in Path("events.jsonl").read_text().splitlines():
        ask.shapes.add("league run --log", json.loads(line))
    for command in ("status", "standings", "crosstable", "matches", "verify"):
        ask(f"league {command}", file)
    ask("league log", file, "random@1")
    ask("league report", file, "reported")
    ask("league compare", file, "random@1", "greedy@1")
    ask("league prune", file, "--older-than", "1d", "--dry-run")
    shutil.copy("autumn.sqlite", "damaged.sqlite")
    ask("league salvage", file, "damaged.sqlite", "--to", "saved.sqlite")
    assert run_command("league", "export", file, "exported").code == 0
    ask("league close", file, "--abandon")


def _other_leagues(ask: Commands) -> None:
    """Leagues of other formats, and of games with sides and with common results."""
    bots = [write_bot(ask.folder / name, name, ask.folder / "log") for name in ("ann", "bob", "cid")]
    for name, game, change in (
        ("knockout", "agent-avenue", '[format]\nkind = "knockout"\n\n[clock]'),
        ("swiss", "agent-avenue", '[format]\nkind = "swiss"\n\n[clock]'),
        ("agonia", "agonia", "[clock]"),
        ("inside-job", "inside-job", "[clock]"),
    ):
        file = write_league(ask.folder / f"{name}.toml", bots, deals=2)
        text = file.read_text().replace("[clock]", change).replace('game = "agent-avenue"', f'game = "{game}"')
        file.write_text(text.replace("seats = 2", "seats = 3") if name == "inside-job" else text)
        rules = games()[game].game
        with plays(FakeExecutor(game=rules, clock=league_in(file).clock)):
            run_command("league", "run", file, "--workers", "1")
            for command in ("standings", "crosstable", "status", "watch"):
                ask(f"league {command}", file)
        if change != "[clock]":
            ask("league rounds", file, under=f" {name}")


def _submissions(ask: Commands) -> None:
    """A league to which authors submit bots."""
    file = write_league(
        ask.folder / "open.toml", [], deals=1, more='sandbox = "landlock"\n[submissions]\nfree_mib = 0\n'
    )
    bot = write_bot(ask.folder / "eve", "eve", ask.folder / "log")
    with plays(FakeExecutor()):
        ask("people add", "eva", file)
        ask("people list", file)
        ask("submit", bot, "--list", under=" --list")
        ask("submit", bot, "--to", file)
        ask("entry show", "eve@1", file, "--log")
        assert run_command("entry", "withdraw", "eve@1", file).code == 0
        ask("entry recheck", "eve@1", file)
        ask("entries", file)
        ask("entries", file, "--audit", under=" --audit")


def command_json() -> Iterable[str]:
    return printed()[0]


def files() -> Iterable[str]:
    return printed()[1]


KINDS: Mapping[str, Callable[[], Iterable[str]]] = {
    "league file and bot.toml": league_file,
    "words of games": game_words,
    "commands": commands,
    "JSON of commands": command_json,
    "files": files,
    "OpenAPI": open_api,
    "exports": exports,
    "transcripts": transcripts,
    "protos": protos,
    "store": store,
    "events": events,
    "environment": environment,
    "entry points": entry_points,
    "site": site,
    "pages": pages,
    "Python": python,
}
"""By what they are the names of."""
LONG = ("JSON of commands", "files")
"""Those that take seconds, because commands play leagues."""


def names(kind: str) -> list[str]:
    """The names of a kind as they are now, sorted."""
    return sorted(set(KINDS[kind]()))


@cache
def recorded() -> dict[str, list[str]]:
    """The recorded names, by kind."""
    return tomllib.loads(RECORD.read_text(encoding="utf-8"))


def write() -> None:
    """Record the names as they are now."""
    parts = [
        f"{json.dumps(kind)} = [\n"
        + "".join(f"  {json.dumps(line, ensure_ascii=False)},\n" for line in names(kind))
        + "]\n"
        for kind in KINDS
    ]
    RECORD.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    import_module("tests.conftest")  # only our own games
    write()
