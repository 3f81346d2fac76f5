"""A public name of the program has a user outside the tests. Names are compared, not what they stand for."""

import ast
import asyncio
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set

from tests.lints.program import Module
from tests.names import PACKAGES
from tests.project_files import ROOT, project_files

FOR_OTHERS: Mapping[str, str] = {
    "referee.agents.tools": "MCP calls it",
    "referee.api.": "the library for users of Python; docs/python.md describes it",
    "referee.pettingzoo": "PettingZoo calls it",
    "referee.pyspiel": "OpenSpiel calls it",
    "tournaments.results.payoffs": "a function for users of Python; docs/python.md describes it",
    "tournaments.store.column_values": "SQLAlchemy calls it",
}
"""How the names of modules begin whose users are in other projects, with the reason."""

_OF_ASYNCIO = frozenset({*dir(asyncio.Protocol), *dir(asyncio.SubprocessProtocol)})
"""The methods of protocols, which the loop calls."""

_ENDINGS = (".html", ".js", ".proto", ".py", ".toml")


def findings(modules: Sequence[Module], others: Set[str] | None = None) -> Iterator[str]:
    """A sentence for each public name that only definitions mention. `others` are the words of the other files."""
    words = Counter(word for module in modules for word in module.words())
    used = (_words_of_files() if others is None else others) | _OF_ASYNCIO
    public = {module: [one for one in _public(module.tree) if one[0][0] != "_"] for module in modules}
    definitions = Counter(name for names in public.values() for name, _ in names)
    for module, names in public.items():
        if module.name.startswith(tuple(FOR_OTHERS)):
            continue
        for name, line in names:
            if words[name] <= definitions[name] and name not in used:
                yield module.at(line, f"nothing but tests uses {name}")


def _public(scope: ast.Module | ast.ClassDef) -> Iterator[tuple[str, int]]:
    """The functions, classes, constants and methods. Fields and members of enumerations are data."""
    for node in scope.body:
        match node:
            case ast.ClassDef(name=name):
                yield from ((name, node.lineno), *_public(node))
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name, node.lineno
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                if isinstance(scope, ast.Module):
                    yield name, node.lineno
            case _:
                pass


def _words_of_files() -> set[str]:
    """The words of the code that is not in the modules, and not in the tests."""
    names = (name for name in project_files() if name.endswith(_ENDINGS) and not name.startswith("tests/"))
    texts = (ROOT / name for name in names if not name.startswith(PACKAGES) or not name.endswith(".py"))
    return {word for path in texts for word in re.findall(r"\w+", path.read_text(encoding="utf-8"))}
