"""What the lints read: the modules of the program, parsed once, and the docstrings and comments in them."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import PurePath

from tests.names import modules

_LIBRARY = "sample_bots.python.library."


class Module:
    """A module of the program: its path from the top of the project, and its text."""

    def __init__(self, path: PurePath, text: str) -> None:
        self.path, self.text = path, text
        self.tree = ast.parse(text)

    @property
    def name(self) -> str:
        """As others import it."""
        return ".".join(self.path.with_suffix("").parts).removeprefix(_LIBRARY).removesuffix(".__init__")

    def at(self, line: int, sentence: str) -> str:
        """A finding: what is wrong, behind its place."""
        return f"{self.path}:{line}: {sentence}"

    @cached_property
    def docstrings(self) -> Mapping[int, str]:
        """By its first line, each docstring: also one below the value that it describes."""
        return {
            node.lineno: node.value.value
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        }

    @cached_property
    def tokens(self) -> Sequence[tokenize.TokenInfo]:
        """As Python reads them, comments too."""
        return [*tokenize.generate_tokens(io.StringIO(self.text).readline)]

    def words(self) -> Iterator[str]:
        """The words of the code, without docstrings and comments."""
        for token in self.tokens:
            is_docstring = token.type == tokenize.STRING and token.start[0] in self.docstrings
            if token.type != tokenize.COMMENT and not is_docstring:
                yield from re.findall(r"\w+", token.string)

    def prose(self) -> Iterator[tuple[int, str]]:
        """The lines of all docstrings and comments, each with its number."""
        for first, text in self.docstrings.items():
            yield from enumerate(text.split("\n"), first)
        yield from ((token.start[0], token.string) for token in self.tokens if token.type == tokenize.COMMENT)


def program(sources: Mapping[PurePath, str] | None = None) -> list[Module]:
    """The modules of the program, or these."""
    return [Module(path, text) for path, text in (modules() if sources is None else sources).items()]
