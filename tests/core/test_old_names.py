"""Packages with games and commands of their own import some of our names. The old ones work, and warn."""

import subprocess
import sys

import pytest

from referee import api
from referee.core import errors
from referee.wire import message_mapper, plain_values

RENAMED = (
    ("referee.inprocess", "play", api.play),
    ("referee.core.errors", "Told", errors.UserError),
    ("referee.wire.mirror", "Mirror", message_mapper.MessageMapper),
    ("referee.wire.plain", "plain", plain_values.plain),
)


@pytest.mark.parametrize(("module", "name", "new"), RENAMED, ids=lambda value: value if isinstance(value, str) else "")
def test_an_old_name_is_the_new_thing_and_warns(module: str, name: str, new: object) -> None:
    with pytest.warns(DeprecationWarning, match=rf"{module}\.{name} is now "):
        found = getattr(__import__(module, fromlist=[name]), name)
    assert found is new


def test_a_name_that_never_was_is_still_missing() -> None:
    with pytest.raises(AttributeError, match=r"'referee\.core\.errors' has no attribute 'Nothing'"):
        _ = errors.Nothing


def test_an_import_of_an_old_name_warns_at_the_line_that_imports() -> None:
    program = "from referee.core.errors import Told\nfrom referee.wire.mirror import Mirror\n"
    done = subprocess.run([sys.executable, "-W", "always", "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr.count("DeprecationWarning") == 2
    assert "<string>:1" in done.stderr
    assert "<string>:2" in done.stderr
