"""`python -m tests.suites ci-NAME`: what a long suite does, how long it takes and what it needs, before it begins.

`make` prints this as the first line of each target `ci-...`. It also names the suite to pytest (SUITE), which prints at
the end what was covered (tests/conftest.py). Only the standard library is used: nothing is installed yet.
"""

import sys
from typing import NamedTuple

SUITE = "REFEREE_TEST_SUITE"
"""The variable of the environment that has the name of the suite."""


class Suite(NamedTuple):
    """The words about a suite before it begins.

    Attributes:
        does: in words that go after its name and a colon.
        takes: how long, in words, on a quiet machine with two cores.
        needs: what it needs beside what `make test` needs, in words. What can be installed is installed.
    """

    does: str
    takes: str
    needs: str

    def __str__(self) -> str:
        return f"{self.does}. It takes {self.takes}. It needs {self.needs}."


_SOME = "some minutes"
_DEBIAN = "To install what is missing, it needs Debian 12 and root"

SUITES = {
    "ci-bare": Suite(
        "hides all programs that `make league` and `make test` do not need, and runs both in clones, as root and as an"
        " ordinary user",
        "about a quarter of an hour",
        "git, the package index, and root or user namespaces; it tests the committed files",
    ),
    "ci-busy": Suite(
        "plays leagues on a machine that it makes busy, and checks that no bot loses or gains by that",
        _SOME,
        "root, bubblewrap, and a machine without other work",
    ),
    "ci-languages": Suite(
        "builds and checks a bot of each language, and plays with it",
        "about a quarter of an hour",
        f"toolchains and bubblewrap. {_DEBIAN}",
    ),
    "ci-leagues": Suite(
        "plays the project's own leagues, compares their digests with recorded ones, and trains two sample bots again",
        "about an hour",
        "nothing more",
    ),
    "ci-leaks": Suite(
        "tests with many matches of every game, and with all matches of tiny games, that a seat gets no hidden fact",
        _SOME,
        "nothing more",
    ),
    "ci-machines": Suite(
        "plays leagues on simulated machines, each in its own network, and kills, freezes and disconnects them",
        "about half an hour",
        f"root, Dask, PostgreSQL, iproute2, nftables, openssl and bubblewrap. {_DEBIAN}",
    ),
    "ci-mcp": Suite(
        "lets agents play whole matches of each game in leagues, with the package `mcp`, over HTTP and over stdio",
        _SOME,
        "the package index, for an environment of its own",
    ),
    "ci-nights": Suite(
        "plays ten thousand leagues in virtual time while everything fails, and counts how often each fault struck",
        "about ten minutes",
        "nothing more",
    ),
    "ci-peers": Suite(
        "runs PettingZoo's and OpenSpiel's suites on our games, referees twenty games of OpenSpiel, and checks 100,000"
        " decisions for every set of options",
        "about half an hour",
        "the package index, for an environment of its own",
    ),
    "ci-postgresql": Suite("keeps leagues in PostgreSQL", _SOME, f"PostgreSQL and its driver. {_DEBIAN}"),
    "ci-rogues": Suite(
        "plays with every rogue. A rogue is a bot that breaks a rule on purpose. If root runs the suite, it plays a"
        " second time as an ordinary user",
        _SOME,
        f"bubblewrap. {_DEBIAN}",
    ),
    "ci-slow": Suite("runs the tests that take seconds and rarely break", "about two minutes", "nothing more"),
    "ci-soak": Suite(
        "disturbs leagues of every kind in every way, kills runners, damages stores, and runs long property tests",
        "nearly an hour",
        "root for the disturbed leagues; without root it skips them",
    ),
    "ci-submissions": Suite(
        "submits real bots, kills submissions at every point, and plays leagues whose store has the files of the bots",
        "about five minutes",
        f"bubblewrap and toolchains. {_DEBIAN}",
    ),
    "ci-web": Suite(
        "steps through the pictures of matches, and opens pages, in a browser",
        "more than an hour",
        f"bubblewrap, Chromium and its driver. {_DEBIAN}",
    ),
    "ci-wheel": Suite(
        "builds wheel and sdist of a clean clone and uses them in an empty folder",
        "about two minutes",
        "git and the package index",
    ),
}
"""By the name of the target."""


def main(name: str) -> None:
    """Print the line."""
    print(f"{name} {SUITES[name]}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
