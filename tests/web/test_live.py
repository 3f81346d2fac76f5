"""A league from before its first match to its end, as a visitor, an author and the organizer have it in a browser."""

import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest

from tests.cli.command import referee
from tests.tournaments.web.service.running import Serving, token_of
from tests.web.opened import DESK, TELEPHONE
from tests.web.test_site import hold, looked_at

pytestmark = [pytest.mark.web, pytest.mark.process]

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "referee.cli.main"]
MATCHES = 160
PATIENCE_MS = 400_000
"""Tables are computed once a minute, and this machine may be busy."""

LEAGUE = """
name = "autumn"
game = "agent-avenue"
deals = {deals}
sandbox = "bubblewrap"
store = "autumn.sqlite"
[submissions]
free_mib = 0
[service]
requests = 100_000
[visitors]
opponents = ["greedy@1"]
[[bots]]
path = "{bots}/greedy"
[[bots]]
path = "{bots}/random"
[[tables]]
name = "simple"
seats = 2
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    found = tmp_path / "autumn.toml"
    found.write_text(LEAGUE.format(deals=MATCHES // 2, bots=ROOT / "sample_bots/python"))
    return found


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """A bot as an author packs it."""
    packed = tmp_path / "bot.tar.gz"
    with tarfile.open(packed, "w:gz") as tar:
        folder = ROOT / "sample_bots/python/random"
        for name in sorted(path.name for path in folder.iterdir() if path.is_file() and path.name != "bot.toml"):
            tar.add(folder / name, name)
        manifest = tmp_path / "bot.toml"
        manifest.write_text((folder / "bot.toml").read_text().replace('name = "random"', 'name = "eager"'))
        tar.add(manifest, "bot.toml")
    return packed


@contextmanager
def started(*words: object, cwd: Path, stderr: int | IO[str] = subprocess.DEVNULL) -> Iterator["subprocess.Popen[str]"]:
    command = [*COMMAND, *map(str, words)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=stderr, text=True, cwd=cwd) as process:
        try:
            yield process
        finally:
            process.terminate()
            process.wait(60)


def log_in(page: Any, token: str) -> None:
    page.locator("header a", has_text="Log in").click()
    page.locator("[name=token]").fill(token)
    page.locator("main button").click()
    page.wait_for_url("**/entries")


def log_out(page: Any) -> None:
    page.locator("header form button").click()
    page.wait_for_url("**/standings")
    page.locator("header a", has_text="Log in").wait_for()


def follow_to_its_end(page: Any, url: str, file: Path) -> None:
    """From before the first match until the tables are there, without opening a page anew."""
    page.goto(f"{url}/standings")
    page.locator("main", has_text="Nothing is played yet").wait_for()
    page.evaluate("window.sameDocument = true")
    said = file.parent / "run.log"
    with said.open("w") as log, started("league", "run", file, cwd=file.parent, stderr=log) as run:
        while run.poll() is None:
            page.wait_for_timeout(200)
        assert run.returncode == 0, said.read_text()
    page.locator(".mark", has_text="finished").wait_for(timeout=PATIENCE_MS)
    page.locator("main tbody tr", has_text="greedy v1").wait_for()
    page.locator('[data-live="stored"]', has_text=str(MATCHES)).wait_for(timeout=PATIENCE_MS)
    assert page.evaluate("window.sameDocument")


def submit(page: Any, axe: str, archive: Path) -> None:
    """Send a bot by the form, and wait until it is in the league."""
    page.locator("main a", has_text="Submit a bot").click()
    hold(page, axe)
    page.locator("#archive").set_input_files(archive)
    page.locator("main button").click()
    page.wait_for_url("**/entry/*")
    page.locator(".mark", has_text="entered").wait_for(timeout=PATIENCE_MS)
    hold(page, axe)


def look_at_what_nobody_else_sees(page: Any, axe: str) -> None:
    """What was submitted, with its log; and a match of an open deal."""
    page.locator("main a", has_text="eager v1").first.click()
    page.locator("h2", has_text="checking").wait_for()
    hold(page, axe)
    page.get_by_role("link", name="Matches", exact=True).click()
    page.locator("tbody th a").first.click()
    page.locator("#count", has_text=" / ").wait_for()
    hold(page, axe)
    # A match has the screen for itself, and a way back to the league.
    page.locator("a", has_text="\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}").click()


@pytest.mark.timeout(1800)
def test_a_league_is_followed_to_its_end_and_an_author_enters_a_bot_that_the_organizer_sees(
    chromium: Any, axe: str, file: Path, archive: Path
) -> None:
    eva, organizer = (token_of(name, file) for name in ("eva", "organizer"))
    with started("serve", file, "--port", "0", cwd=file.parent, stderr=subprocess.PIPE) as process:
        url = Serving(process, "http").url
        base = url.partition("/leagues/")[0]
        with looked_at(chromium, DESK, "light", base) as page:
            follow_to_its_end(page, url, file)
            hold(page, axe)
        with looked_at(chromium, TELEPHONE, "dark", base) as page:
            page.goto(f"{url}/standings")
            log_in(page, eva)
            hold(page, axe)
            submit(page, axe, archive)
            log_out(page)
        with looked_at(chromium, DESK, "dark", base) as page:
            page.goto(f"{url}/entries")
            assert page.locator("#submitted").count() == 0
            log_in(page, organizer)
            look_at_what_nobody_else_sees(page, axe)
            log_out(page)
            page.locator("header nav a", has_text="Play").click()
            page.locator("header a", has_text="Leagues").click()
            page.wait_for_url(f"{base}/")
            hold(page, axe)
    assert referee("entries", file).out.count("eager@1") == 1
