"""A name in a `Raises:` entry is an exception of the program, or one that its module imports or Python brings."""

import ast
import builtins
import re
import sys
from collections.abc import Iterator, Sequence

from tests.lints.program import Module

_ENTRY = re.compile(r"([\w., ]+):")
_PYTHON = {name for name, of in vars(builtins).items() if isinstance(of, type) and issubclass(of, BaseException)}


def findings(program: Sequence[Module]) -> Iterator[str]:
    """A sentence for each entry that names no exception."""
    ours = _exceptions(program)
    for module in program:
        imported = _imported(module.tree)
        for line, name in _entries(module):
            home, _, last = name.rpartition(".")
            foreign = home in imported or home in sys.stdlib_module_names or (name in imported and _is_foreign(name))
            if last not in ours and not foreign:
                yield module.at(line, f"`Raises:` names {name}, which is no exception")


def _exceptions(program: Sequence[Module]) -> set[str]:
    """The exceptions that the program defines, and Python's."""
    classes = [node for module in program for node in ast.walk(module.tree) if isinstance(node, ast.ClassDef)]
    bases = {one.name: {ast.unparse(base).rpartition(".")[2] for base in one.bases} for one in classes}
    exceptions, size = set(_PYTHON), 0
    while size < len(exceptions):
        size = len(exceptions)
        exceptions |= {name for name, of in bases.items() if of & exceptions or any(map(_is_foreign, of))}
    return exceptions


def _is_foreign(base: str) -> bool:
    """Whether a class of another project is an exception, by its name."""
    return base.endswith(("Error", "Exception"))


def _imported(tree: ast.Module) -> set[str]:
    imports = (node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom))
    return {one.asname or one.name for node in imports for one in node.names}


def _entries(module: Module) -> Iterator[tuple[int, str]]:
    """Each name of each entry, with its line."""
    for first, text in module.docstrings.items():
        depth = -1
        for number, line in enumerate(text.split("\n"), first):
            indent = len(line) - len(line.lstrip())
            if line.strip() == "Raises:":
                depth = indent
            elif line.strip() and indent <= depth:
                depth = -1
            elif depth >= 0 and indent == depth + 4 and (entry := _ENTRY.match(line)):
                yield from ((number, name) for name in re.findall(r"[\w.]+", entry[1].replace(" or ", ", ")))
