"""A rogue that is submitted over the network harms nothing: not while it is built, checked, and plays."""

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.cli.command import referee
from tests.rogues import leftovers
from tests.rogues.bots.bot import PRIVATE
from tests.rogues.leagues import contents, service, victim
from tests.runtime.sandbox.boxes import needs_boxes
from tests.tournaments.arena import alive
from tests.tournaments.web.service.running import serving, token_of
from tournaments.results.league_location import league_in, store_of
from tournaments.results.stored_league import open_results
from tournaments.web.client.http_client import LeagueClient
from tournaments.web.client.submit import followed, submitted
from tournaments.web.visibility.entry_view import SubmissionView

LEAGUE = """
name = "rogues"
game = "agent-avenue"
deals = 2
seed = "14"
rehearsal = true
[submissions]
free_mib = 0
build_s = 3600
check_s = 3600
[[tables]]
name = "table"
seats = 2
"""


ROGUES = Path(__file__).parents[3] / "rogues" / "bots"

PLAYER = """
from honest import Player as Honest
from rogues.submitted import AS_A_BOT, AT_LAST, strike

strike(*AS_A_BOT)


class Player(Honest):
    struck = False

    def choose(self, decision):
        if not Player.struck:
            Player.struck = True
            strike(*AS_A_BOT, *AT_LAST)
        return super().choose(decision)
"""
"""It strikes when it starts, and at its first decision."""


def starter(bot: Path) -> Path:
    """An honest bot."""
    assert referee("new", "python", "--protocol", "grpc", bot).code == 0
    return bot


def rogue(bot: Path, given: Mapping[str, object]) -> Path:
    """A bot that tries all that it must not do, while it is built, when it starts, and when it plays."""
    starter(bot)
    shutil.copytree(ROGUES, bot / "rogues", ignore=shutil.ignore_patterns("__pycache__"))
    (bot / "given.json").write_text(json.dumps(given))
    (bot / "player.py").rename(bot / "honest.py")
    (bot / "player.py").write_text(PLAYER)
    manifest = bot / "bot.toml"
    manifest.write_text(f'{manifest.read_text()}build = ["{{python}}", "-m", "rogues.submitted"]\n')
    return bot


def comes_in(line: LeagueClient, bot: Path) -> SubmissionView:
    """Submit a bot, and follow it to its end."""
    number = submitted(line, bot, None).number
    followed(line, number, lambda _text: None)
    return line.get(SubmissionView, "submissions", str(number))


@pytest.mark.submissions
@pytest.mark.process
@needs_boxes
@pytest.mark.timeout(3000)
def test_a_submitted_rogue_harms_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tell: Callable[[str, Mapping[str, object]], None]
) -> None:
    home, league = tmp_path / "home", tmp_path / "league"
    home.mkdir()
    league.mkdir()
    monkeypatch.chdir(league)
    monkeypatch.setenv(PRIVATE, "1")
    file = league / "league.toml"
    file.write_text(LEAGUE)
    tokens = {author: token_of(author, file) for author in ("eva", "mallory")}
    mark = f"rogues-{tmp_path.parent.name}"
    with victim() as pid, service() as (port, calls), serving(file) as here:
        honest = comes_in(here.line(tokens["eva"]), starter(home / "ann"))
        assert honest.state == "entered", honest.log
        (unpacked,) = league.glob("league.sqlite.bots/*/")
        before, workbench = contents(unpacked), here.children("workbench")
        given = {"league": str(league), "opponent": str(unpacked), "victim": pid, "port": port, "mark": mark}
        seen = comes_in(here.line(tokens["mallory"]), rogue(home / "rogue", given))
        # It is let in, since nothing that it tries succeeds: so it was alive and failed.
        assert seen.state == "entered", seen.log
        assert here.children("workbench") == workbench
        run = referee("league", "run", file)
        assert run.code == 0, run.err
        assert contents(unpacked) == before
        assert comes_in(here.line(tokens["eva"]), home / "ann").number == honest.number
        assert here.stop() == 0
    with open_results(league_in(file), store_of(league_in(file), file)) as results:
        played = list(results.matches())
    assert len(played) == 2 * 2
    assert [match.faults for match in played if match.faults] == []
    assert referee("league", "verify", file).code == 0
    assert calls == []
    assert leftovers.found(mark) == []
    assert alive(tmp_path) == []
    tell("submitted rogues", {"attacks in build and play": 20, "matches": len(played)})
