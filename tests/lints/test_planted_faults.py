"""Each lint finds a fault that is planted in a small program, and nothing else there."""

import re
from pathlib import PurePath

import pytest

from tests.lints import banned, examples, mentions, raises, sizes, unused
from tests.lints.program import program

ERRORS = "from http.client import HTTPException\n\n\nclass Late(ValueError): ...\n\n\nclass Later(Late): ...\n"


def _raising(entry: str) -> str:
    return f'''{ERRORS}def wait() -> None:
    """Wait.

    Raises:
        {entry}
    """
'''


@pytest.mark.parametrize("entry", ["Later: too late.", "KeyError, Late: no.", "HTTPException: no.", "queue.Empty: no."])
def test_an_entry_that_names_exceptions_passes(entry: str) -> None:
    assert not [*raises.findings(program({PurePath("a.py"): _raising(entry)}))]


@pytest.mark.parametrize("name", ["Gone", "Plain", "HTTPError", "wait"])
def test_an_entry_that_names_no_exception_is_found(name: str) -> None:
    sources = {PurePath("a.py"): _raising(f"Late, {name}: no."), PurePath("b.py"): "class Plain: ..."}
    assert [*raises.findings(program(sources))] == [f"a.py:12: `Raises:` names {name}, which is no exception"]


@pytest.mark.parametrize(
    "mention", ["kept", "self.kept", "TomlKey", "names.py", "tests/lints/", "/usr", "a = 1", "os.getpid()"]
)
def test_a_mention_of_what_exists_or_of_no_name_passes(mention: str) -> None:
    sources = {PurePath("room/a.py"): f'def kept(self):\n    """See `{mention}`."""  # `{mention}`\n'}
    assert not [*mentions.findings(program(sources), {"TomlKey"})]


@pytest.mark.parametrize("mention", ["gone", "self.gone", "Gone", "kept.gone()"])
def test_a_mention_of_what_is_only_in_prose_is_found(mention: str) -> None:
    sources = {
        PurePath("a.py"): f'def kept(self):\n    """A docstring of\n\n    gone, Gone. See `{mention}`.\n    """\n'
    }
    assert [*mentions.findings(program(sources), set())] == [f"a.py:4: `{mention}` is not in the code"]


@pytest.mark.parametrize("mention", ["gone.py", "tests/gone.md", "tests/gone/"])
def test_a_mention_of_a_file_that_is_not_there_is_found(mention: str) -> None:
    sources = {PurePath("a.py"): f"gone = tests = py = md = 1  # `{mention}`\n"}
    assert [*mentions.findings(program(sources), set())] == [f"a.py:1: there is no file `{mention}`"]


@pytest.mark.slow
def test_every_exception_from_mentions_is_still_needed() -> None:
    every = {word for module in program() for _, text in module.prose() for word in re.findall(r"`(\w+)`", text)}
    assert mentions.ALLOWED.keys() <= every


@pytest.mark.parametrize(
    ("example", "wrong"),
    [
        ("run = begin(my_bot)\n        print(run.wins)", []),
        ("begin(bot)   what it does\n        run.wins     their number", []),
        ("run = start(my_bot)", ["a.py:4: the example uses start, which is not in the code"]),
        ("print(begin(1).losses)", ["a.py:4: the example uses losses, which is not in the code"]),
        ("from os import begin, start", ["a.py:4: the example uses start, which is not in the code"]),
        ("for run in begin(1)", ["a.py:4: the example does not compile: expected ':'"]),
    ],
)
def test_an_example_that_does_not_work_is_found(example: str, wrong: list[str]) -> None:
    source = f'def begin(n):\n    """Begin.\n\n        {example}\n\n    More.\n    """\n    wins = n'
    assert [*examples.findings(program({PurePath("a.py"): source}))] == wrong


DEFINITIONS = """
told = 1
class Kept:
    found: int
    def _season(self, far: int) -> None:
        self._aside = held = it = far
        match held:
            case [corner, *_]: ...
def play(given: int, each: int) -> None: ...
"""


def test_a_name_that_names_nothing_is_found_by_its_kind() -> None:
    modules = program({PurePath("room/told.py"): DEFINITIONS, PurePath("other/a.py"): "twofold = 1"})
    found = [one.split(": ")[0] for one in banned.findings(modules, {})]
    assert sorted(found) == sorted(f"room/told.py:{line}" for line in (1, 2, 3, 4, 5, 5, 6, 8))


def test_a_banned_name_may_be_allowed_with_a_reason_as_long_as_it_is_there() -> None:
    modules = program({PurePath("room/told.py"): "asked = 1\n"})
    assert [*banned.findings(modules, {"room.told": {"told": "a reason", "asked": "a reason"}})] == []
    assert [*banned.findings(modules, {"room.told": {"told": "why", "asked": "why", "kept": "why"}})] == [
        "room/told.py:1: it defines no kept, so tests/lints/banned.py must not allow it"
    ]


def test_a_long_module_and_a_small_one_with_one_importer_are_found() -> None:
    long, longest, small = "\n" * 451, "\n" * 450, "a = 1\n"
    sources = {
        "long": long,
        "full": longest,
        "one": small,
        "two": small,
        "users/a": "import two\nfrom users import b\n",
    }
    sources |= {"users/b": "import one\nimport two\n" + "\n" * 58, "users/__init__": "from long import b, c"}
    found = [*sizes.findings(program({PurePath(f"{name}.py"): source for name, source in sources.items()}))]
    assert found == [
        "long.py:1: 451 lines are too many for one subject; the most are 450",
        "one.py:1: only users.b imports these 1 lines; they belong there",
    ]


@pytest.mark.slow
def test_every_exception_from_the_sizes_is_still_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    needed = {**sizes.LONG, **sizes.SMALL}
    modules = program()
    monkeypatch.setattr(sizes, "LONG", {})
    monkeypatch.setattr(sizes, "SMALL", {})
    assert len([*sizes.findings(modules)]) == len(needed)


def test_a_public_name_without_a_user_is_found() -> None:
    source = """
GONE = 1
class Gone:
    field: int
    def gone(self) -> None:
        "It uses gone, GONE and Gone, which `gone` defines."
    def used_elsewhere(self) -> None: ...
    def _own(self) -> None: ...
def used() -> None: ...  # GONE
def gone() -> None: ...
used()
"""
    sources = {PurePath("a.py"): source, PurePath("referee/pyspiel.py"): "def called_by_openspiel(): ..."}
    assert [*unused.findings(program(sources), {"used_elsewhere"})] == [
        "a.py:2: nothing but tests uses GONE",
        "a.py:3: nothing but tests uses Gone",
        "a.py:5: nothing but tests uses gone",
        "a.py:10: nothing but tests uses gone",
    ]


@pytest.mark.slow
def test_every_exception_from_users_is_still_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    modules, needed = program(), [*unused.FOR_OTHERS]
    monkeypatch.setattr(unused, "FOR_OTHERS", {})
    found = "\n".join(unused.findings(modules))
    assert [name for name in needed if name.strip(".").replace(".", "/") not in found] == []
