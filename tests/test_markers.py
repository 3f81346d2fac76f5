"""Each test is run by one suite. No ordinary test hides in a folder that `make test` does not look into."""

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


def test_only_the_tests_of_its_folder_open_a_browser_and_they_bear_no_other_marker() -> None:
    tests = Path(__file__).parent
    web = {file: file.read_text(encoding="utf-8") for file in tests.rglob("test_*.py")}
    inside = {file for file in web if file.parent.name == "web" and file.parent.parent == tests}
    assert {file for file, text in web.items() if re.search(r"mark\.web\b", text)} == inside
    assert {file for file in inside if re.search(r"mark\.(slow|leaks)\b", web[file])} == set()
