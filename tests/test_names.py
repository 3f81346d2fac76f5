"""A name with a second meaning is found. `make check` looks for them in the program."""

from pathlib import PurePath

import pytest

from tests.names import ALLOWED, classes, modules, namespace, shared


@pytest.mark.slow
def test_every_exception_is_still_needed() -> None:
    program = modules()
    found = [name for source in program.values() for name in classes(source)]
    found += [path.name for path in program if "cli" not in path.parts and not namespace(path)]
    assert all(found.count(name) > 1 for name in ALLOWED)


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        (
            ("tournaments/store/rows.py", "class Place: ..."),
            ("referee/wire/messages.py", "class Place: ..."),
            ["class Place: referee/wire/messages.py, tournaments/store/rows.py"],
        ),
        (
            ("tournaments/web/pages/limits.py", ""),
            ("tournaments/web/limits.py", ""),
            ["limits.py: tournaments/web/limits.py, tournaments/web/pages/limits.py"],
        ),
        (
            ("referee/match/limits.py", ""),
            ("tournaments/web/limits.py", ""),
            ["limits.py: referee/match/limits.py, tournaments/web/limits.py"],
        ),
        (
            ("tournaments/web/pages/table.py", ""),
            ("tournaments/web/table.py", ""),
            ["table.py: tournaments/web/pages/table.py, tournaments/web/table.py"],
        ),
        (("referee/runtime/table.py", ""), ("tournaments/web/table.py", ""), []),
        (("tournaments/cli/limits.py", ""), ("tournaments/web/limits.py", ""), []),
        (
            ("referee/games/chess/deck/state.py", "class State: ..."),
            ("referee/games/chess/state.py", "class State: ..."),
            [
                "class State: referee/games/chess/deck/state.py, referee/games/chess/state.py",
                "state.py: referee/games/chess/deck/state.py, referee/games/chess/state.py",
            ],
        ),
        (("referee/games/chess/state.py", "class State: ..."), ("referee/games/nim/state.py", "class State: ..."), []),
        (("tournaments/web/_a.py", "class _Own: ..."), ("tournaments/web/_b.py", "class _Own: ..."), []),
        (("tournaments/web/__init__.py", ""), ("tournaments/web/pages/__init__.py", ""), []),
    ],
)
def test_a_name_with_two_meanings_is_found_with_both_places(
    first: tuple[str, str], second: tuple[str, str], said: list[str]
) -> None:
    assert shared({PurePath(path): source for path, source in (first, second)}) == said
