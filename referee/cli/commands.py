"""The commands of `referee`. A command is imported only when it is called, so help and `play` wait for no database.

Our own commands are listed here. Other packages register theirs under the entry points `referee.commands`. An entry
point is a function, or a `typer.Typer` with several commands.
"""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points, version
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup

from referee.cli.console import report_errors_plainly, say
from referee.cli.signals import something_to_tidy_up
from referee.core.errors import load_of
from referee.runtime.shortages import require_open_files

GROUP = "referee.commands"
"""The entry-point group under which a package registers commands."""

_OURS = {
    "games": "referee.cli.games:list_games",
    "play": "referee.cli.play:play",
    "check": "referee.cli.check:check",
    "check-game": "referee.cli.check:check_rules",
    "new": "referee.cli.new:new_bot",
    "new-game": "referee.cli.new:new_game",
    "build": "referee.cli.new:build",
    "replay": "referee.cli.replay:replay",
    "explain": "referee.cli.transcripts:explain",
    "seat": "referee.cli.seat:seat",
    "verify": "referee.cli.transcripts:verify",
    "rerun": "referee.cli.rerun:rerun",
    "doctor": "referee.cli.doctor:doctor",
}


class Commands(TyperGroup):
    """A group of commands. Until a command is called, only its name is loaded, and its summary where it is listed.

    Attributes:
        places: by name, where each is: its `module:function`.
    """

    places: ClassVar[Mapping[str, str]]

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._points = {point.name: point for point in self.points()}
        for name in self._points:
            self.add_command(TyperCommand(name))

    def points(self) -> Iterator[EntryPoint]:
        """The commands of the group, in the order in which they are listed."""
        for name, place in self.places.items():
            yield EntryPoint(name, place, GROUP)

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of the commands. Each gets its summary only now, since most calls list nothing."""
        for name, point in self._points.items():
            self.commands[name].help = _summary(point)
        return super().list_commands(ctx)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Import the called command.

        Raises:
            WrongUse: its package fails to import.
        """
        name, named, rest = super().resolve_command(ctx, args)
        found = named and self.load(named.name or "")
        if not isinstance(found, Commands):  # which has a command to import first
            something_to_tidy_up()
        return name, found, rest

    def load(self, name: str) -> Any:
        """Import the command with this name.

        Raises:
            WrongUse: its package fails to import.
        """
        point = self._points[name]
        return load_of(
            point,
            f"the command {name}",
            lambda found: typer.main.get_command(found if isinstance(found, typer.Typer) else _alone(found)),
        )


class _All(Commands):
    """The group of all commands of `referee`."""

    places = _OURS

    def points(self) -> Iterator[EntryPoint]:
        """Our commands in our order, then other packages' commands by name. If two share a name, the first counts."""
        names = set(_OURS)
        yield from super().points()
        for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
            if point.name not in names:
                names.add(point.name)
                yield point


def _alone(function: Any) -> typer.Typer:
    app = typer.Typer(add_completion=False)
    app.command()(function)
    return app


def _summary(point: EntryPoint) -> str:
    """The first line of the docstring of the function or group, or else of the module, read without importing it.

    If a module's docstring reads "`referee NAME`: what it is for", the summary is the part after the colon.
    """
    tree, names = _parsed(point.module), (point.attr, point.name)
    functions = (node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name in names)
    text = ast.get_docstring(next(functions, tree)) or ""
    line = text.partition("\n")[0].removeprefix(f"`referee {point.name}`: ")
    return line[:1].upper() + line[1:]


@cache
def _parsed(module: str) -> ast.Module:
    """The source of a module; empty if it cannot be read."""
    try:
        spec = find_spec(module)
        return ast.parse(Path(spec.origin).read_bytes()) if spec and spec.origin else ast.Module([], [])
    except (ImportError, OSError, SyntaxError, ValueError):
        return ast.Module([], [])


app = typer.Typer(
    cls=_All,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},  # also of every command
    help="A referee for bots that play board games with hidden information.",
)


def run() -> None:
    """Run the command that the command line names."""
    with report_errors_plainly():
        require_open_files()
        app()


def _say_version(is_set: bool) -> None:
    if is_set:
        say(f"referee {version('referee')}")
        raise typer.Exit


@app.callback()
def _referee(
    _version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """The options that come before a command."""
