"""The steps of docs/submitting.md, executed: from `referee new` to a rated entry of a running league."""

import io
import os
import re
import shutil
import subprocess
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.cli.command import REFEREE, Ended
from tests.install import toolchains
from tests.needed import skip_for_lack
from tests.runtime.remotes import TLS
from tests.tournaments.submissions.bad import BAD
from tests.tournaments.web.service.running import Serving, serving, token_of
from tournaments.web.client.http_client import LeagueClient, RequestRefused
from tournaments.web.visibility.table_views import StandingsView

TOOLCHAINS = toolchains(Path(__file__).parents[3] / "languages" / "toolchains.toml")
LEAGUE = """
name = "open"
game = "agent-avenue"
deals = 2
[format]
kind = "open"
[service]
requests = 100_000
[submissions]
free_mib = 0
build_s = 3600
check_s = 3600
[rating]
same_author = "count"  # all bots are Eva's
[[tables]]
name = "simple"
seats = 2
"""
LIMITS = re.compile(r"more than (1 MiB|2 MiB|100 files|5 folders)")
"""The refusals of archives that break the limits of the tests. The limits of a league are wider."""

CRATES = Path("/usr/share/cargo/registry")
VENDORED = """
[source.crates-io]
replace-with = "vendored-sources"
[source.vendored-sources]
directory = "vendor"
"""

LANGUAGES = ("python", "cpp", "javascript")
READS_LINES = "python"
"""The bot of `referee new python`; the others are for gRPC, with libraries."""


class Author:
    """An author at home, with a token in a file."""

    def __init__(self, home: Path, token: str, url: str) -> None:
        self.home = home
        self.url = url
        home.mkdir()
        self._token = token

    def referee(self, *words: str) -> Ended:
        environment = os.environ | {"REFEREE_TOKEN": self._token}
        done = subprocess.run(
            [REFEREE, *words], cwd=self.home, capture_output=True, text=True, check=False, env=environment
        )
        return Ended(done.returncode, done.stdout, done.stderr)

    def asks(self, *words: str) -> Ended:
        """A command that calls the service."""
        return self.referee(*words, "--ca", str(TLS / "ca.pem"))

    def writes(self, language: str) -> None:
        """Make a bot as `docs/submitting.md` says."""
        protocol = () if language == READS_LINES else ("--protocol", "grpc")
        made = self.referee("new", language, *protocol, language)
        assert made.code == 0, made.err
        manifest = self.home / language / "bot.toml"
        text = re.sub(r'(?m)^name = ".*"$', f'name = "{language}"', manifest.read_text())
        if language == "javascript":  # its packages travel, so nothing is built
            subprocess.run(
                ["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"], cwd=manifest.parent, check=True
            )
            text = re.sub(r"(?m)^build = .*\n", "", text)
        manifest.write_text(text)

    def takes_the_crates_along(self) -> None:
        """Do for a bot in Rust what `cargo vendor` does. That would delete Debian's crates, which lie in a folder."""
        folder = self.home / "rust"
        subprocess.run(["cargo", "generate-lockfile"], cwd=folder, check=True)
        for crate in tomllib.loads((folder / "Cargo.lock").read_text())["package"]:
            if "source" in crate:
                name = f"{crate['name']}-{crate['version']}"
                shutil.copytree(CRATES / name, folder / "vendor" / name)
        (folder / ".cargo" / "config.toml").write_text(VENDORED)
        manifest = folder / "bot.toml"
        manifest.write_text(manifest.read_text().replace('"--quiet"', '"--offline"'))

    def submits(self, bot: str) -> Ended:
        return self.asks("submit", bot, "--to", self.url)


def lacking(language: str) -> bool:
    return bool(TOOLCHAINS[language].missing) if language in TOOLCHAINS else False


def standings(here: Serving) -> StandingsView | None:
    try:
        return here.line().get(StandingsView, "standings")
    except RequestRefused:  # there are no tables yet
        return None


@pytest.mark.submissions
@pytest.mark.timeout(9000)
def test_bots_in_three_languages_come_from_new_to_a_rated_entry_of_a_running_league(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tell: Callable[[str, Mapping[str, object]], None]
) -> None:
    missing = [language for language in LANGUAGES if lacking(language)]
    if missing:
        skip_for_lack(f"the toolchain of {', '.join(missing)}")
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "open.toml"
    file.write_text(LEAGUE)
    token = token_of("eva", file)
    with serving(file) as here:
        author, took_s = Author(tmp_path / "home", token, here.url), dict[str, int]()

        def enters(language: str, wave: str) -> None:
            began_s = time.monotonic()
            author.writes(language)
            submitted = author.submits(language)
            assert submitted.code == 0, submitted
            assert f"{language}@1 is entered; it plays from the {wave}" in submitted.out
            took_s[f"s from new to entered, {language}"] = round(time.monotonic() - began_s)

        for language in LANGUAGES[:2]:
            enters(language, "first wave")
        with (tmp_path / "run.log").open("w") as log:
            running = subprocess.Popen([REFEREE, "league", "run", file], stdout=log, stderr=log)
        try:
            enters(LANGUAGES[2], "next wave")
            until_s = time.monotonic() + 3600
            while (found := standings(here)) is None or {line.bot for line in found.lines if line.matches} != {
                f"{language}@1" for language in LANGUAGES
            }:
                assert time.monotonic() < until_s, found
                assert running.poll() is None, (tmp_path / "run.log").read_text()
                time.sleep(2)
            listed = author.asks("entries", here.url)
            assert [line.split()[1] for line in listed.out.splitlines()] == [f"{each}@1" for each in LANGUAGES]
            logged = author.asks("entry", "cpp@1", here.url, "--log")
            assert "    | " in logged.out  # what the compiler said
            told = author.referee("standings", "--from", here.url, "--ca", str(TLS / "ca.pem"))
            assert all(f"{language}@1" in told.out for language in LANGUAGES), told
            refused_bad_archives(here.line(token))
            assert all(line.faults == 0 for line in found.lines)
        finally:
            running.terminate()
            running.wait(timeout=120)
        assert here.stop() == 0
    tell("authors", took_s)


@pytest.fixture
def author(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Author]:
    """An author of a served league, with the programs of Debian's packages, for which the starters are."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "/usr/local/bin:/usr/bin:/bin")
    file = tmp_path / "open.toml"
    file.write_text(LEAGUE)
    token = token_of("eva", file)
    with serving(file) as here:
        yield Author(tmp_path / "home", token, here.url)


@pytest.mark.submissions
@pytest.mark.timeout(9000)
@pytest.mark.parametrize("language", ["go", "java", "rust"])
def test_a_bot_in_another_language_is_built_with_what_the_organizer_has(author: Author, language: str) -> None:
    if lacking(language):
        skip_for_lack(f"the toolchain of {language}")
    author.writes(language)
    submitted = author.submits(language)
    assert submitted.code == 0, submitted
    assert f"{language}@1 is entered" in submitted.out


@pytest.mark.submissions
@pytest.mark.timeout(9000)
def test_a_bot_in_rust_is_built_with_the_crates_that_travel_with_it(author: Author) -> None:
    if lacking("rust"):
        skip_for_lack("the toolchain of rust")
    author.writes("rust")
    author.takes_the_crates_along()
    submitted = author.submits("rust")
    assert submitted.code == 0, submitted
    assert "rust@1 is entered" in submitted.out
    assert "vendor/tokio-" in author.referee("submit", "rust", "--list").out


def refused_bad_archives(line: LeagueClient) -> None:
    """Send bad archives, as strangers do, and check that the service refuses each."""
    whatever_the_limits = [make for make, sentence in BAD.values() if not LIMITS.search(sentence)]
    assert len(whatever_the_limits) >= 40
    for make in whatever_the_limits:
        with pytest.raises(RequestRefused, match="the archive is refused"):
            line.send(dict, io.BytesIO(make()), "application/gzip", "submissions")
