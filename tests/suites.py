"""`python -m tests.suites ci-NAME`: what a long suite does, what it needs and how long it last took, before it begins.

`make` prints this as the first line of each target `ci-...`. It also names the suite to pytest (SUITE), which prints at
the end what was covered (tests/conftest.py). Only the standard library is used: nothing is installed yet.
"""

import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

SUITE = "REFEREE_TEST_SUITE"
"""The variable of the environment that has the name of the suite."""
RECORD = "tests/proved.toml"
"""Where the record of what was proved is."""
NEXT_SEED = "REFEREE_NIGHTS_FROM"
"""The variable that has the first seed of a run of ci-nights."""


class Suite(NamedTuple):
    """A long suite: the words about it before it begins, and what it covers.

    Attributes:
        does: in words that go after its name and a colon.
        needs: what it needs beside what `make test` needs, in words. What can be installed is installed.
        covers: the files and folders whose change makes a proof stale: what the suite tests and the quick suite does
            not, and its own tests.
    """

    does: str
    needs: str
    covers: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.does}. It needs {self.needs}."


COVERED_BY_ALL = (
    *("pyproject.toml", "hatch_build.py", "requirements/build.txt", "requirements/dev.txt", "proto"),
    *("tests/conftest.py", "tests/install.py", "tests/quick_stores.py"),
)
"""The files and folders that every suite covers. Its recipe in the Makefile belongs to it, too (tests/proved.py)."""

ONLY_QUICK = ("tournaments/comparison",)
"""The rooms that no suite but ci-slow covers: `make test` tests them."""

_RULES = ("referee/core", "referee/games", "referee/match", "referee/wire")
_PLAY = ("tournaments/league", "tournaments/schedule", "tournaments/play", "tournaments/store")
_BOXES = ("referee/runtime", "tests/rogues/toolchains.toml", "tests/runtime/sandbox/needed.py")
_DEBIAN = "To install what is missing, it needs Debian 12 and root"

SUITES = {
    "ci-bare": Suite(
        "hides all programs that `make league` and `make test` do not need, and runs both in clones, as root and at the"
        " same time as an ordinary user",
        "git, the package index, and root or user namespaces; it tests the committed files",
        ("Makefile", "requirements", "tests/bare_machine.py", "tests/ordinary_user.py", "tests/needed.py"),
    ),
    "ci-busy": Suite(
        "plays leagues on a machine that it makes busy, and checks that no bot loses or gains by that",
        "root, bubblewrap, and a machine without other work",
        (*_BOXES, "referee/match", "tournaments/play", "tests/busy", "tests/rogues/leagues.py"),
    ),
    "ci-deploy": Suite(
        "starts what docs/deploy describes (PostgreSQL, `referee serve`, Caddy), makes the image in a folder, kills"
        " every process of a served store at ten moments, and copies stores from one kind to the other",
        f"PostgreSQL, Caddy, docker-compose, mmdebstrap and bubblewrap, the package index, and root. {_DEBIAN}",
        (
            *("Containerfile", "docs/deploy", "requirements", "tournaments/store", "tournaments/web/service"),
            *("tournaments/play", "tournaments/submissions", "referee/http_server", "tests/deploy", "tests/postgresql"),
        ),
    ),
    "ci-languages": Suite(
        "builds and checks a bot of each language, and plays with it",
        f"toolchains and bubblewrap. {_DEBIAN}",
        (
            *(*_RULES, *_BOXES, "referee/check", "referee/cli", "sample_bots", "tests/languages"),
            *("docs/line-bots.md", "docs/writing-a-bot.md"),
        ),
    ),
    "ci-leagues": Suite(
        "plays the project's own leagues, the longest ones in part, compares their digests with recorded ones, and"
        " trains two sample bots again",
        "nothing more",
        (
            *(*_RULES, "referee/runtime", *_PLAY, "tournaments/config", "tournaments/leagues", "sample_bots/python"),
            *("tests/tournaments/digests.toml", "tests/tournaments/test_our_leagues.py", "tests/sample_bots"),
        ),
    ),
    "ci-leaks": Suite(
        "tests with many matches of every game, and with all matches of tiny games, that a seat gets no hidden fact",
        "nothing more",
        (
            *(*_RULES, "referee/drawing", "tournaments/web/visitors", "tests/drawing", "tests/games", "tests/golden"),
            *("tests/leaks", "tests/tournaments/web/visitors/test_seat_view.py"),
        ),
    ),
    "ci-machines": Suite(
        "plays leagues on simulated machines, each in its own network, and kills, freezes and disconnects them",
        f"root, Dask, PostgreSQL, iproute2, nftables, openssl and bubblewrap. {_DEBIAN}",
        (*_PLAY, *_BOXES, "requirements", "docs/deploy", "tests/machines", "tests/postgresql"),
    ),
    "ci-mcp": Suite(
        "lets agents play whole matches of each game in leagues, with the package `mcp`, over HTTP and over stdio",
        "the package index, for an environment of its own",
        ("referee/agents", "referee/http_server", "referee/match", "referee/wire", "requirements/mcp.txt", "tests/mcp"),
    ),
    "ci-nights": Suite(
        "plays 4,000 leagues in virtual time while everything fails, and counts how often each fault struck",
        "nothing more",
        (*_PLAY, "tournaments/maintenance", "tournaments/rating", "tests/nights"),
    ),
    "ci-peers": Suite(
        "runs the suites of PettingZoo, Gymnasium and OpenSpiel on our games, referees twenty games of OpenSpiel, loads"
        " exports to Parquet, and checks 100,000 decisions for every set of options",
        "the package index, for an environment of its own",
        (
            *(
                *_RULES,
                "referee/api",
                "referee/check",
                "referee/gymnasium.py",
                "referee/pettingzoo.py",
                "referee/pyspiel.py",
                "sample_games",
                "tournaments/results/export_fields.py",
                "tournaments/results/parquet_files.py",
                "requirements",
                "docs/examples",
            ),
            *("tests/api", "tests/peers", "tests/test_python_doc.py"),
        ),
    ),
    "ci-postgresql": Suite(
        "keeps leagues in PostgreSQL",
        f"PostgreSQL and its driver. {_DEBIAN}",
        (
            *(*_PLAY, "tournaments/maintenance", "tournaments/results", "tournaments/submissions"),
            *("requirements/postgresql.txt", "tests/postgresql", "tests/tournaments/maintenance"),
            *("tests/tournaments/results", "tests/tournaments/store", "tests/tournaments/submissions"),
        ),
    ),
    "ci-rogues": Suite(
        "plays with every rogue. A rogue is a bot that breaks a rule on purpose. If root runs the suite, it plays a"
        " second time as an ordinary user",
        f"bubblewrap. {_DEBIAN}",
        (*_BOXES, "referee/match", "sample_bots/python/library", "tests/bots", "tests/rogues"),
    ),
    "ci-semester": Suite(
        "lets a class of a hundred join a course by links, form teams, submit to two leagues and use the rights of each"
        " role, in virtual time, in a store of each kind",
        f"PostgreSQL and its driver. {_DEBIAN}",
        (
            *("tournaments/league", "tournaments/config", "tournaments/store", "tournaments/submissions"),
            *("tournaments/web/pages", "tournaments/web/queries", "tournaments/web/service"),
            *("tournaments/web/visibility", "tournaments/cli/people.py", "docs/people.md", "tests/postgresql"),
            *("requirements/postgresql.txt", "tests/semester", "tests/tournaments/web/queries/worlds.py"),
        ),
    ),
    "ci-slow": Suite(
        "runs the tests that take seconds and rarely break",
        "nothing more",
        ("referee", "tournaments", "sample_bots/python", "sample_games", "benchmarks", "docs", "tests"),
    ),
    "ci-soak": Suite(
        "disturbs leagues of every kind in every way, kills runners, damages stores, reads hostile stores and"
        " files, and runs long property tests",
        "root for the disturbed leagues; without root it skips them",
        (
            *(*_RULES, *_PLAY, "referee/files", "referee/runtime", "tournaments/maintenance", "tournaments/rating"),
            *("tests/tournaments/soak", "tests/tournaments/maintenance", "tests/tournaments/cli"),
            *("tests/cli/test_hostile_transcripts.py", "tests/mutations.py"),
        ),
    ),
    "ci-submissions": Suite(
        "submits real bots, kills submissions at every point, and plays leagues whose store has the files of the bots",
        f"bubblewrap and toolchains. {_DEBIAN}",
        (
            *(*_BOXES, "referee/check", "tournaments/store", "tournaments/submissions", "tournaments/web/client"),
            *("referee/http_server", "tournaments/web/visitors", "tournaments/web/service"),
            *("tournaments/web/scrimmages.py", "tests/languages/toolchains.toml"),
            *("referee/cli", "tests/tournaments/cli/test_authors_day.py", "tests/tournaments/cli/test_entries.py"),
            *("tests/tournaments/submissions", "tests/tournaments/web"),
        ),
    ),
    "ci-web": Suite(
        "steps through the pictures of matches, and opens pages, in a browser",
        f"bubblewrap, Chromium and its driver. {_DEBIAN}",
        (
            *("referee/core", "referee/games", "referee/drawing", "tournaments/web", "requirements/web.txt"),
            *("tests/drawing", "tests/golden", "tests/tournaments/web", "tests/web"),
        ),
    ),
    "ci-wheel": Suite(
        "builds wheel and sdist of a clean clone and uses them in an empty folder",
        "git and the package index",
        (
            *("README.md", "referee/cli", "referee/files", "sample_bots", "sample_games", "tournaments/cli"),
            *("tournaments/leagues", "tests/wheel"),
        ),
    ),
}
"""By the name of the target."""


def covered_by(suite: str) -> Callable[[str], bool]:
    """Whether a suite covers the file with a path, from the top of the project with slashes. None covers the record."""
    covers = (*COVERED_BY_ALL, *SUITES[suite].covers)
    folders = tuple(f"{path}/" for path in covers)
    return lambda path: path != RECORD and (path in covers or path.startswith(folders))


def main(name: str) -> None:
    """Print the line. How long the suite took when it last passed stands in the record."""
    record = tomllib.loads((Path(__file__).parents[1] / RECORD).read_text(encoding="utf-8"))
    took = f"It last took {record[name]['took_s']} s." if name in record else "It was not timed yet."
    print(f"{name} {SUITES[name]} {took}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
