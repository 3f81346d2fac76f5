"""A browser for each worker, and axe-core."""

import hashlib
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

_AXE = "axe-core@4.14.1"
_AXE_SHA256 = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """Debian's Chromium. Root may not have it sandboxed; nothing foreign is opened in it."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - installed by make ci-web only

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The source of axe-core."""
    folder = tmp_path_factory.mktemp("axe")
    subprocess.run(["npm", "pack", "--silent", _AXE], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    (packed,) = folder.glob("*.tgz")
    with tarfile.open(packed) as tar:
        member = tar.extractfile("package/axe.min.js")
        assert member is not None
        source = member.read()
    assert hashlib.sha256(source).hexdigest() == _AXE_SHA256
    return source.decode()


@pytest.fixture
def page_file(tmp_path: Path) -> Path:
    """Where a page is written to be opened from disk."""
    return tmp_path / "match.html"
