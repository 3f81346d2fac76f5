"""A game that `referee new-game` wrote, in a served league: a bot is submitted, matches are watched, a person plays."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.command import run
from tests.drawing.test_page import readable
from tests.starter_game import install
from tests.tournaments.web.visitors.test_served import Served, serving

pytestmark = [pytest.mark.process, pytest.mark.submissions, pytest.mark.timeout(1800)]

LEAGUE = """
name = "own"
game = "high-card"
deals = 6
rehearsal = true
sandbox = "bubblewrap"
[submissions]
free_mib = 0
[service]
requests = 100_000
[visitors]
opponents = ["careful@1"]
[[bots]]
path = "bots/careful"
[[bots]]
path = "bots/careful"
label = "bold"
arguments = ["--rule", "greedy"]
[[tables]]
name = "two"
seats = 2
"""


class OwnLeague:
    """A league of the game, and its server."""

    def __init__(self, package: Path, environment: dict[str, str], served: Served) -> None:
        self.package = package
        self.environment = environment
        self.served = served
        self.url = f"http://127.0.0.1:{served.port}/leagues/own"

    def run(self, *arguments: str | Path, **environment: str) -> str:
        """What a command prints that must end well."""
        ended = run(*arguments, folder=self.package, environment=self.environment | environment)
        assert ended.code == 0, f"{ended.out}{ended.err}"
        return ended.out

    def page(self, path: str) -> str:
        """A page as a browser gets it."""
        status, _, body = self.served.ask("GET", path, accept="text/html")
        assert status == 200, body
        return body.decode()

    def page_with(self, path: str, words: str) -> str:
        """The page, once it has these words: tables are computed beside the server."""
        until_s = time.monotonic() + 600
        while words not in (page := self.page(path)):
            assert time.monotonic() < until_s, page
            time.sleep(0.5)
        return page


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnLeague]:
    package = tmp_path_factory.mktemp("games") / "high-card"
    assert run("new-game", package, folder=package.parent).code == 0
    environment = install(package)
    (package / "league.toml").write_text(LEAGUE)
    with serving(package, ["league.toml"], environment) as served:
        yield OwnLeague(package, environment, served)


def test_a_bot_is_submitted_and_enters_and_its_matches_are_watched(own: OwnLeague) -> None:
    token = own.run("people", "add", "eva", "league.toml", "--token").strip()
    own.run("new", "python", "--protocol", "grpc", "wasp")
    assert "wasp@1 is entered" in own.run("submit", "wasp", "--to", own.url, REFEREE_TOKEN=token)
    own.run("league", "run", "league.toml")

    own.page_with("/leagues/own/bot/wasp@1", "mean return")
    assert "mean return" in own.page("/leagues/own/standings")
    assert "mean return" in own.run("standings", "--from", own.url)
    listed = own.page_with("/leagues/own/matches", "/match/")
    assert " chips" in listed  # the last positions, by the drawer of the game
    match = re.findall(r'href="(/leagues/own/match/[^"]+)"', listed)[0]
    assert " chips" in own.page(match)
    assert " chips" in readable(own.page(match.replace("/match/", "/replay/")))

    number = match.removeprefix("/leagues/own/match/")
    own.run("league", "match", own.url, number, "match.json")
    own.run("replay", "match.json", "--html", "replayed.html")
    assert " chips" in readable((own.package / "replayed.html").read_text())
    own.run("league", "verify", "league.toml")


def test_a_person_plays_a_whole_match_in_the_lobby(own: OwnLeague) -> None:
    assert "high-card" in own.page("/play/")
    seat = own.served.seated("/play/tables", {"league": "own", "name": "ann", "seat.0": "~", "seat.1": "careful@1"})
    with own.served.stream(seat) as events:
        while not (shown := next(events)[1]["shown"]) or not shown[-1]["legal"]:
            pass
    assert shown[-1]["legal"] == ["stay", "be out"]
    assert " chips" in shown[-1]["board"]
    played = own.package / "match.json"
    played.write_bytes(own.served.play_to_end(seat, "alone"))
    assert "holds" in own.run("verify", played)
    assert " chips" in readable(own.page(f"{seat}/replay"))
    (kept,) = own.package.glob("*.persons/*.json")
    assert "~ann@person" in own.run("replay", kept)
