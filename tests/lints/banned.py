"""Words that name nothing are no names. `python -m tests.lints.banned` writes how many are left, by folder.

The program still has some. Their numbers (`LEFT`) may only fall: a folder that is not in the file has none.
"""

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from tests.lints.program import Module, program

_NOWHERE = re.compile(
    "told|said|kept|asked|shown|heard|judged|fared|begun|aside|season|corner|far|hears|judges|house|housing|workshop"
    "|bench|deaf|crew|wish|glances?|glimpse|onlookers|outings?"
)
"""Participles and pictures, which stand for no thing of the field."""
_ONLY_LOCAL = re.compile("found|seen|given|held|known|wanted|it|each|what|who|why")
"""Words that are clear for a few lines: they may name variables and parameters."""
LEFT = Path(__file__).with_name("banned.toml")


class Definition(NamedTuple):
    """A place that defines a name.

    Attributes:
        kind: `definition` (of a module, function, class, attribute or constant), `parameter` or `variable`.
        name: the name.
        line: its line.
    """

    kind: str
    name: str
    line: int

    @property
    def banned(self) -> bool:
        """Whether the name is none."""
        word = self.name.strip("_").lower()
        return bool(_NOWHERE.fullmatch(word) or (self.kind == "definition" and _ONLY_LOCAL.fullmatch(word)))


def findings(modules: Sequence[Module], left: Mapping[str, Mapping[str, int]] | None = None) -> Iterator[str]:
    """A sentence for each banned name of a folder that has more of its kind than `left` says."""
    allowed = tomllib.loads(LEFT.read_text(encoding="utf-8")) if left is None else left
    for (folder, kind), places in _banned(modules).items():
        most = allowed.get(folder, {}).get(kind, 0)
        if len(places) > most:
            excess = f"{folder} has {len(places)} such names of a {kind}, and at most {most} are allowed"
            yield from (module.at(line, f"{name} names nothing; {excess}") for module, (_, name, line) in places)


def _banned(modules: Sequence[Module]) -> Mapping[tuple[str, str], list[tuple[Module, Definition]]]:
    """By folder and kind."""
    banned = defaultdict(list)
    for module in modules:
        for one in filter(attrgetter("banned"), definitions(module)):
            banned[str(module.path.parent), one.kind].append((module, one))
    return banned


def definitions(module: Module) -> Iterator[Definition]:
    """The name of a module, and all names that it defines."""
    yield Definition("definition", module.path.stem, 1)
    scopes = (node for node in ast.walk(module.tree) if isinstance(node, ast.Module | ast.ClassDef))
    lasting = {id(target) for scope in scopes for target in _targets(scope)}
    for node in ast.walk(module.tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield Definition("definition", name, node.lineno)
            case ast.Attribute(attr=name, ctx=ast.Store()):
                yield Definition("definition", name, node.lineno)
            case ast.arg(arg=name):
                yield Definition("parameter", name, node.lineno)
            case ast.Name(id=name, ctx=ast.Store()):
                yield Definition("definition" if id(node) in lasting else "variable", name, node.lineno)
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.ExceptHandler(name=str(name)):
                yield Definition("variable", name, node.lineno)


def _targets(scope: ast.Module | ast.ClassDef) -> Iterator[ast.expr]:
    """The targets of the assignments in a scope itself."""
    for statement in scope.body:
        if isinstance(statement, ast.AnnAssign):
            yield statement.target
        elif isinstance(statement, ast.Assign):
            yield from statement.targets


def counted(modules: Sequence[Module]) -> str:
    """The text of the file."""
    counts: dict[str, list[str]] = defaultdict(list)
    for (folder, kind), places in sorted(_banned(modules).items()):
        counts[folder].append(f"{kind} = {len(places)}")
    lines = (f'"{folder}" = {{ {", ".join(of)} }}' for folder, of in counts.items())
    return "\n".join(["# Banned names (tests/lints/banned.py). No number may rise.", *lines, ""])


if __name__ == "__main__":
    LEFT.write_text(counted(program()), encoding="utf-8")
