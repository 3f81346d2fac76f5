"""Bots that read lines wherever a league lets bots play: every match is the one over gRPC, choice by choice."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
import uvloop

from referee.match.conversation import Chosen, Reply
from referee.match.header import single
from referee.match.match import Ask
from referee.match.transcript import from_file
from referee.runtime.confinement import confinement
from referee.runtime.host import Bot
from referee.runtime.local_bot import read_bot
from referee.runtime.table import play_once
from referee.wire.registry import game_entry, games
from tests.bots.alike import PROTOCOLS, assert_by_rule, write_alike
from tests.cli.command import UNBOXED, referee
from tests.runtime.rogues import PATIENT
from tests.tournaments.arena import write_league
from tests.tournaments.leagues import league
from tests.tournaments.stores import in_sql
from tests.tournaments.web.visitors.puppets import puppet
from tests.tournaments.web.visitors.test_process import record_of
from tournaments.league.model import TableSpec
from tournaments.league.service_terms import SubmissionTerms
from tournaments.play.environment import LocalEnvironment
from tournaments.results.league_location import league_in
from tournaments.store import Store
from tournaments.submissions import build_environment
from tournaments.submissions.build_environment import LocalBuildEnvironment
from tournaments.web.visitors.process import open_table_context

pytestmark = pytest.mark.process

VERY_PATIENT = ("--move-ms", "300000", "--start-ms", "300000")
each_protocol = pytest.mark.parametrize("protocol", PROTOCOLS)


def assert_all_by_rule(url: str, matches: int) -> None:
    """Assert that so many matches are stored, all played by the rule."""
    ((name,),) = in_sql(url, "SELECT league FROM league")
    with Store(url, name) as store:
        transcripts = [transcript for _, transcript in store.transcripts()]
        assert store.broken_batches() == {}
    assert len(transcripts) == matches
    for transcript in transcripts:
        assert_by_rule(transcript)


def seated_by(seed: str) -> Callable[[Ask, str], Reply]:
    """What a person of the tests chooses: any action, by lot."""
    rng = Random(seed)
    return lambda ask, _seed: Chosen(rng.randrange(len(ask.legal)))


@pytest.mark.parametrize(
    ("table", "batch"),
    [
        pytest.param(PROTOCOLS, 1, id="mixed"),
        pytest.param(PROTOCOLS, 8, id="mixed-batches"),
        pytest.param(("lines",), 8, marks=pytest.mark.slow, id="lines-batches"),
        pytest.param(("flat",), 8, marks=pytest.mark.slow, id="flat-batches"),
    ],
)
def test_a_league_is_that_of_grpc_singly_and_in_batches(table: tuple[str, ...], batch: int, tmp_path: Path) -> None:
    names = ("ann", "bob", "cid")
    bots = [write_alike(tmp_path / name, table[at % len(table)], name) for at, name in enumerate(names)]
    file = write_league(tmp_path / "autumn.toml", bots, deals=3, more=f"batch = {batch}\n")
    url = f"sqlite:///{tmp_path / 'autumn.sqlite'}"
    ran = referee("league", "run", file, "--store", url, "--workers", "1")
    assert ran.code == 0, ran.err
    assert_all_by_rule(url, 18)
    assert referee("league", "verify", file, "--store", url).code == 0


@pytest.mark.parametrize(("new", "old"), [("lines", "grpc"), ("flat", "lines")])
def test_a_comparison_is_that_of_grpc(new: str, old: str, tmp_path: Path) -> None:
    bots = [write_alike(tmp_path / role, protocol) for role, protocol in (("new", new), ("old", old))]
    url = f"sqlite:///{tmp_path / 'compared.sqlite'}"
    words = ("--game", "agent-avenue", "--max-deals", "2", "--seed", "3", "--workers", "1", "--store", url, "--json")
    ended = referee("compare", *bots, *words, *VERY_PATIENT, *UNBOXED)
    assert ended.code == 0, ended.err
    assert (ended.json["matches"], ended.json["new_faults"], ended.json["old_faults"]) == (4, 0, 0)
    assert_all_by_rule(url, 4)


@pytest.mark.parametrize("game", games())
def test_a_match_against_a_person_is_that_of_grpc(game: str, tmp_path: Path) -> None:
    entry = game_entry(game)
    options = entry.game.options_type()
    seats = min(entry.game.seats(options))
    bots: list[Bot] = [puppet(), *(read_bot(write_alike(tmp_path / each, each)) for each in ("lines", "flat"))]
    header = single(entry.game, options, tuple(bot.entry for bot in bots[:seats]), "persons")
    transcript = uvloop.run(play_once(entry, bots[:seats], header, PATIENT, confinement("none")))
    assert_by_rule(transcript, first=seated_by("puppet"))


@each_protocol
def test_a_visitor_plays_against_a_bot_whatever_it_reads(protocol: str, tmp_path: Path, scratch: Path) -> None:
    bots = [write_alike(tmp_path / name, protocol, name) for name in ("eva", "max")]
    file = write_league(tmp_path / "small.toml", bots, 1, '[visitors]\nopponents = ["eva@1"]\n')
    with open_table_context(league_in(file), f"sqlite:///{tmp_path}/small.sqlite", LocalEnvironment(1), print) as room:
        transcript, _ = from_file(asyncio.run(record_of(room, scratch, "eva@1")))
    assert_by_rule(transcript, first=seated_by("hand"))


@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["lines", "flat"])
def test_a_submitted_bot_is_built_and_checked(protocol: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_environment, "runtimes", lambda *_: {})
    options = {"mode": "simple", "line_up": "1v1"}
    planned = league((), game="agent-avenue", clock=PATIENT, tables=(TableSpec("simple", 2, options),))
    environment = LocalBuildEnvironment(planned, SubmissionTerms())
    bot, told = write_alike(tmp_path / "eva", protocol, "eva"), list[str]()
    environment.build(bot, told.append)
    environment.check(bot, told.append)
    said = "".join(told)
    assert "writes one line for each question, flushes it" in said
    assert "FAIL" not in said
