"""Each lint finds a fault that is planted in a small program, and nothing else there."""

from pathlib import PurePath

import pytest

from tests.lints import raises
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
