"""What stands in backticks in a docstring or comment exists: as a word of the code, or as a file or folder."""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence, Set

from tests.lints.program import Module
from tests.project_files import ROOT, project_files

ALLOWED: Mapping[str, str] = {
    "Origin": "a header of HTTP, which Starlette finds by its name in lower case",
    "TokenVerifier": "the class of MCP that ours is one of, without deriving from it",
    "seat_0": "PettingZoo's name of an agent; the code computes it from the number of a seat",
    "seat_1": "as `seat_0`",
}
"""Words that need not be in the code, with the reason."""

_CODE = (".css", ".html", ".js", ".proto", ".toml")
_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*(?:\(\))?")
_PATH = re.compile(r"(?:[\w.-]+/)+[\w.-]*|\w+\.py")


def findings(program: Sequence[Module], others: Set[str] | None = None) -> Iterator[str]:
    """A sentence for each mention of what is not there. `others` are the words of files that are not Python."""
    files = [f"/{name}" for name in project_files()]
    known = words(program) | (_words_of_files() if others is None else others) | {*ALLOWED, *sys.stdlib_module_names}
    folders = {part for name in files for part in name.split("/")[:-1]}
    for module in program:
        for line, text in module.prose():
            for mention in re.findall(r"(?<!`)`([^`\n]+)`(?!`)", text):
                if _PATH.fullmatch(mention) and (mention.endswith(".py") or mention.split("/")[0] in folders):
                    if not any(f"/{mention}" in name for name in files):
                        yield module.at(line, f"there is no file `{mention}`")
                elif _NAME.fullmatch(mention) and not known.issuperset(_parts(mention)):
                    yield module.at(line, f"`{mention}` is not in the code")


def _parts(mention: str) -> list[str]:
    """The parts of a dotted name that must be words of ours: of a module of Python's, only its own name."""
    parts = re.findall(r"\w+", mention)
    return parts[:1] if parts[0] in sys.stdlib_module_names else parts


def words(program: Sequence[Module]) -> set[str]:
    """The words of the modules, outside docstrings and comments."""
    words = {word for module in program for word in re.findall(r"\w+", str(module.path))}
    return words.union(*(module.words() for module in program))


def _words_of_files() -> set[str]:
    """The words of other files, and those in the names of all."""
    texts = ((ROOT / name).read_text(encoding="utf-8") for name in project_files() if name.endswith(_CODE))
    return {word for text in (*project_files(), *texts) for word in re.findall(r"\w+", text)}
