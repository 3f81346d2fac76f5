"""`import referee`: what it gives, and what it costs."""

import subprocess
import sys

import referee
from referee import api


def test_to_import_it_loads_nothing_else() -> None:
    heavy = "[name for name in sys.modules if name.startswith('referee.') or name in ('msgspec', 'google', 'pydantic')]"
    printed = subprocess.check_output([sys.executable, "-c", f"import sys, referee; print({heavy})"], text=True)
    assert printed == "[]\n"


def test_to_play_does_not_load_numpy_and_a_space_does() -> None:
    programs = [f"import sys, referee; referee.{name}; print('numpy' in sys.modules)" for name in ("play", "space")]
    printed = [subprocess.check_output([sys.executable, "-c", program], text=True) for program in programs]
    assert printed == ["False\n", "True\n"]


def test_its_names_are_those_of_the_room_behind_it_and_each_is_explained() -> None:
    assert set(api.__all__) <= set(dir(referee))
    for name in api.__all__:
        found = getattr(referee, name)
        assert found is getattr(api, name)
        assert name == "Player" or found.__doc__


def test_it_has_no_other_names() -> None:
    assert not hasattr(referee, "plya")
    assert not hasattr(referee, "LocalMatches")
