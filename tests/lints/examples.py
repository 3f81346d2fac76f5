"""An example in a docstring compiles, and its names are words of the code, its own, or the reader's (`my_...`).

An example is a paragraph that is indented more than the one before it. One with gaps in its lines is a table.
"""

import ast
import builtins
import re
import sys
from collections.abc import Iterator, Sequence
from inspect import cleandoc
from textwrap import dedent

from tests.lints.mentions import words
from tests.lints.program import Module

_EXAMPLE = re.compile(r"^( *)\S.*\n\n((?:\1    .*\n|\n)+)", re.MULTILINE)
_GAP = re.compile(r"\S {2,}\S")


def findings(program: Sequence[Module]) -> Iterator[str]:
    """A sentence for each example that does not compile, and for each name in one that is nowhere."""
    known = words(program) | set(dir(builtins)) | sys.stdlib_module_names
    for module in program:
        for first, text in module.docstrings.items():
            whole = f"{cleandoc(text)}\n"
            for example in _EXAMPLE.finditer(whole):
                line = first + whole.count("\n", 0, example.start(2))
                yield from (module.at(line, wrong) for wrong in _wrong(example[2], known))


def _wrong(example: str, known: set[str]) -> Iterator[str]:
    if _GAP.search(example.strip()):
        return
    try:
        tree = ast.parse(dedent(example))
    except SyntaxError as error:
        yield f"the example does not compile: {error.msg}"
        return
    own = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    for name in sorted(set(_names(tree)) - own - known):
        if not name.startswith("my_"):
            yield f"the example uses {name}, which is not in the code"


def _names(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
                yield name
            case ast.ImportFrom(module=str(name), names=imported):
                yield from (*name.split("."), *(one.name for one in imported))
            case ast.Import(names=imported):
                yield from (part for one in imported for part in one.name.split("."))
