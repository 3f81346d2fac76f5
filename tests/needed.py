"""What a machine must have for some tests beside Python; where it is not there, they are left out, and say so.

The reason for leaving them out begins with LACKS, so that whoever reads a summary can tell what was not proved.
"""

import shutil
from typing import Any, NoReturn

import pytest

from tests.proved import LACKS


def needs(what: str, *, there: bool) -> pytest.MarkDecorator:
    """The mark of tests that need something of the machine, which is there or not."""
    return pytest.mark.skipif(not there, reason=LACKS + what)


def skip_for_lack(what: str) -> NoReturn:
    """Leave out the test that runs, since the machine lacks this."""
    pytest.skip(LACKS + what)


def import_needed(module: str) -> Any:
    """Import a module; if it cannot be imported, leave out the tests of the file.

    This is no lack of the machine: other suites look at the file, too, and the suite of the file installs the module.
    """
    return pytest.importorskip(module, reason=f"the module {module} is not installed")


needs_git = needs("git", there=shutil.which("git") is not None)
