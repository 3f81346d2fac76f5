"""No ordinary test hides in a folder that `make test` does not look into."""

import re
from pathlib import Path

import pytest

from tests.conftest import HEAVY


@pytest.mark.parametrize("folder", HEAVY)
def test_every_test_of_a_heavy_folder_bears_its_marker(folder: str) -> None:
    files = list((Path(__file__).parent / folder).rglob("test_*.py"))
    marked = re.compile(rf"^pytestmark = .*\bpytest\.mark\.{folder}\b", re.MULTILINE)
    assert files
    assert [file for file in files if not marked.search(file.read_text(encoding="utf-8"))] == []
