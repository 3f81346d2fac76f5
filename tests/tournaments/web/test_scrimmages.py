"""Scrimmages: the allowed requests, and the data that only their author sees."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from ssl import create_default_context
from typing import Any
from unittest.mock import Mock
from urllib.parse import quote
from urllib.request import Request, urlopen

import pytest
from msgspec.structs import replace

from tests.bots.alike import assert_by_rule, write_alike
from tests.cli.command import referee
from tests.drawing.matches import QUICK as QUICK_MATCHES
from tests.drawing.matches import golden_match
from tests.tournaments.arena import write_league
from tests.tournaments.stores import in_sql
from tests.tournaments.web.service.hall import OPEN, Answer, Hall, hall
from tests.tournaments.web.service.running import CA, QUICK, serving, token_of
from tests.tournaments.workshops import archive
from tournaments.league.model import League
from tournaments.league.service_terms import ServiceTerms
from tournaments.store import Store, StoreAway
from tournaments.web import scrimmages as play_scrimmages
from tournaments.web.client.http_client import LeagueClient, RequestRefused
from tournaments.web.client.submit import followed, submitted
from tournaments.web.scrimmages import (
    ScrimmageEnvironment,
    ScrimmageFailed,
    ScrimmageRequests,
    home_of,
    store_of,
)
from tournaments.web.service.league_service import LeagueService
from tournaments.web.visibility.match_view import ScrimmageView

API = "/leagues/autumn/api"
RARE = replace(OPEN, service=ServiceTerms(scrimmages=1))


@contextmanager
def with_bots(url: str) -> Iterator[Hall]:
    """A league with a bot of eva's and two of max's."""
    with hall(url, RARE) as here:
        for name, author in (("bee", "eva"), ("wasp", "max"), ("fly", "max")):
            here.send(archive(name).getvalue(), author)
            here.work()
        yield here


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    with with_bots(f"sqlite:///{tmp_path_factory.mktemp('store')}/league.sqlite") as here:
        yield here


@pytest.fixture
def served(kept: Hall) -> Hall:
    """The same league for all, without scrimmages."""
    in_sql(kept.store.url, "DELETE FROM scrimmage")
    in_sql(kept.store.url, "DELETE FROM scrimmage_deal")
    return kept


def asked(served: Hall, query: str, author: str | None = "eva") -> Answer:
    return served.ask(f"{API}/scrimmages?{query}", author, "POST")


def test_an_author_asks_for_a_scrimmage_of_an_own_bot_and_it_waits(url: str) -> None:
    with with_bots(url) as served:
        answer = asked(served, "bot=bee@1&against=wasp@1&deals=3")
        assert answer.status == 201
        seen = answer.json
        assert (seen["stage"], seen["table"], seen["deals"]) == ("waiting", "of-2", 3)
        assert served.ask(f"{API}/scrimmages/{seen['number']}", "eva").json == seen
        assert served.ask(f"{API}/scrimmages", "eva").json == [seen]


REFUSED = [
    ("bot=wasp@1&against=bee@1", "wasp@1 is not in the league as a bot of yours; your bots: bee@1"),
    ("against=wasp@1", " is not in the league as a bot of yours; your bots: bee@1"),
    ("bot=bee@1&against=gnat@1", "gnat@1 cannot be played against; these can: bee@1, fly@1, wasp@1"),
    ("bot=bee@1&against=bee@1", "a bot is named twice; name each once, and another than your own"),
    ("bot=bee@1", "table of-2 takes 1 bot against yours, not 0"),
    ("bot=bee@1&against=wasp@1&against=fly@1", "table of-2 takes 1 bot against yours, not 2"),
    ("bot=bee@1&against=wasp@1&table=of-3", "there is no table of-3; tables: of-2"),
]


def test_what_cannot_be_played_is_refused_with_what_can(served: Hall) -> None:
    for query, sentence in REFUSED:
        answer = asked(served, query)
        assert (answer.status, answer.detail) == (409, sentence)
    assert served.ask(f"{API}/scrimmages", "eva").json == []


def test_a_scrimmage_on_the_deal_of_a_match_has_its_table_and_that_deal_only(
    served: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = "nim/of-2/bee@1+wasp@1/deal-0/turn-0"
    named = f"bot=bee@1&against=wasp@1&match={quote(match, safe='')}"
    refused = asked(served, named)
    assert (refused.status, refused.detail) == (404, f"there is nothing to be seen of '{match}'")
    queries_of = Mock()
    monkeypatch.setattr(LeagueService, "to", queries_of)
    seen = asked(served, f"{named}&deals=3&table=of-9").json
    assert (seen["match"], seen["table"], seen["deals"]) == (match, "of-2", 1)
    queries_of.assert_called_once_with(None)
    queries_of.return_value.transcript.assert_called_once_with(match)
    assert [each.match for each in served.store.scrimmages.waiting()] == [match]
    assert served.work()
    failed = served.ask(f"{API}/scrimmages/{seen['number']}", "eva").json
    assert (failed["stage"], failed["reason"]) == ("failed", f"there is no match {match} any more")


def test_a_scrimmage_on_the_deal_of_a_match_is_a_league_with_the_seed_of_this_deal(
    served: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, transcript = "nim/of-2/bee@1+wasp@1/deal-0/turn-0", golden_match(min(QUICK_MATCHES, key=str))
    leagues = list[League]()

    def play(league: League, *_: object) -> None:
        leagues.append(league)
        raise ScrimmageFailed("it is enough to see the league")

    monkeypatch.setattr(LeagueService, "to", Mock())
    monkeypatch.setattr(Store, "transcript", lambda _store, asked: {match: transcript}.get(asked))
    monkeypatch.setattr(ScrimmageEnvironment, "_entries", lambda *_: ())
    monkeypatch.setattr(play_scrimmages, "open_run", play)
    asked(served, f"bot=bee@1&against=wasp@1&match={quote(match, safe='')}")
    assert served.work()
    (league,) = leagues
    assert league.deal_seed == transcript.record.header.deal_seed
    assert league.deals == 1


def test_beside_a_match_stand_the_scrimmages_of_the_viewer_on_its_deal_only(
    served: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LeagueService, "to", Mock())
    monkeypatch.setattr(ScrimmageRequests, "one", lambda _requests, number: Mock(matches=(number,)))
    numbers = []
    for match in ("&match=nim/of-2/bee@1%2Bwasp@1/deal-0/turn-0", "&match=nim/of-2/bee@1%2Bwasp@1/deal-1/turn-0", ""):
        numbers.append(asked(served, f"bot=bee@1&against=wasp@1{match}").json["number"])
        in_sql(served.store.url, "UPDATE scrimmage SET stage = 'played', asked_ms = 5")
    beside = {
        author: ScrimmageRequests(RARE, served.store, author).on_deal_of("nim/of-2/bee@1+wasp@1/deal-0/turn-0")
        for author in ("eva", "max")
    }
    assert beside == {"eva": (numbers[0],), "max": ()}


def test_a_scrimmage_is_short(served: Hall) -> None:
    for deals in ("0", "9", "-1", "many"):
        assert asked(served, f"bot=bee@1&against=wasp@1&deals={deals}").status == 400


def test_one_waits_at_a_time_and_so_many_are_allowed_a_day(served: Hall) -> None:
    asked(served, "bot=bee@1&against=wasp@1")
    again = asked(served, "bot=bee@1&against=fly@1")
    assert again.detail.split("\n") == [
        "eva has asked for 1 scrimmages within a day; try again tomorrow",
        "a scrimmage of eva waits already; ask again when it was played",
    ]
    in_sql(served.store.url, "UPDATE scrimmage SET stage = 'played', asked_ms = 5")
    assert asked(served, "bot=bee@1&against=fly@1").status == 201


def test_nobody_else_sees_it_or_learns_that_it_is_there(served: Hall) -> None:
    number = asked(served, "bot=bee@1&against=wasp@1").json["number"]
    for path in (f"scrimmages/{number}", f"scrimmages/{number}/output", f"scrimmages/{number}/pages/x"):
        answer = served.ask(f"{API}/{path}", "max")
        assert (answer.status, answer.detail) == (404, f"you have asked for no scrimmage {number}")
        assert served.ask(f"{API}/{path}").status == 401
    assert served.ask(f"{API}/scrimmages", "max").json == []


def test_one_with_a_bot_that_has_left_fails_with_the_reason(served: Hall) -> None:
    number = asked(served, "bot=bee@1&against=wasp@1").json["number"]
    in_sql(served.store.url, """UPDATE scrimmage SET against = '["gone@1"]'""")
    assert served.work()
    seen = served.ask(f"{API}/scrimmages/{number}", "eva").json
    assert (seen["stage"], seen["reason"], seen["matches"]) == ("failed", "gone@1 has left the league", [])
    assert not served.work()


def test_one_that_the_store_interrupts_waits_until_the_store_is_back(
    served: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = asked(served, "bot=bee@1&against=wasp@1").json["number"]

    def away(*_: object) -> None:
        raise StoreAway("the connection was lost")

    monkeypatch.setattr(ScrimmageEnvironment, "_entries", away)
    with pytest.raises(StoreAway):  # it ends the process, which is started again
        served.work()
    assert served.ask(f"{API}/scrimmages/{number}", "eva").json["stage"] == "waiting"


@pytest.mark.submissions
@pytest.mark.timeout(1200)
def test_a_scrimmage_is_played_on_deals_of_its_own_and_its_author_sees_the_own_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = write_league(
        tmp_path / "autumn.toml", [], deals=2, more='sandbox = "bubblewrap"\n[submissions]\nfree_mib = 0\n[service]\n'
    )
    tokens = {author: token_of(author, file) for author in ("eva", "max")}
    with serving(file, QUICK) as here:
        for author, token in tokens.items():
            line = here.line(token)
            bot = starter(tmp_path, author)
            with (bot / "player.py").open("a") as player:
                player.write('\n\nprint("I am awake", flush=True)\n')
            followed(line, submitted(line, bot, None).number, lambda _text: None)
        eva = here.line(tokens["eva"])
        seen = spar(eva, bot="eva@1", against="max@1", deals="2")
        assert len(seen.matches) == 4
        for match in seen.matches:
            assert {seat.bot for seat in match.seats} == {"eva@1", "max@1"}
            assert [seat.thinking_us is not None for seat in match.seats] == [
                seat.bot == "eva@1" for seat in match.seats
            ]
        page = eva.file("scrimmages", str(seen.number), "pages", seen.matches[0].match)
        assert page.startswith(b"<!doctype html>")
        with pytest.raises(RequestRefused, match=f"you have asked for no scrimmage {seen.number}"):
            here.line(tokens["max"]).get(ScrimmageView, "scrimmages", str(seen.number))
        monkeypatch.setenv("REFEREE_TOKEN", tokens["eva"])
        asked = ("--against", "max@1", "--deals", 1, "--ca", CA, "--pages", tmp_path / "seen")
        told = referee("scrimmage", "eva@1", here.url, *map(str, asked))
        assert told.code == 0, told.err
        lines = told.out.splitlines()
        assert sum(line.startswith("agent-avenue/") and "eva@1" in line for line in lines) == 2
        assert sum(line == "  | I am awake" for line in lines) == 2  # a process for each line-up
        assert len(list((tmp_path / "seen").glob("*.html"))) == 2
        assert here.stop() == 0
    main = f"sqlite:///{tmp_path / 'autumn.sqlite'}"
    assert in_sql(main, "SELECT count(*) FROM match") == [(0,)]
    played = list(home_of(main, "autumn", 1).parent.glob("*/scrimmage.sqlite"))
    assert len(played) == 2
    seeds = {
        in_sql(f"sqlite:///{each}", "SELECT seed FROM league")[0] for each in (*played, tmp_path / "autumn.sqlite")
    }
    assert len(seeds) == 3


@pytest.mark.submissions
@pytest.mark.timeout(1200)
def test_a_scrimmage_on_the_deal_of_a_match_is_played_on_its_luck_and_stands_beside_it_unrated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    more = 'sandbox = "bubblewrap"\n[submissions]\nfree_mib = 0\n[service]\n'
    file = write_league(tmp_path / "autumn.toml", [], deals=1, more=more)
    with file.open("a") as table:
        table.write('luck = "own"\n')
    tokens = {author: token_of(author, file) for author in ("eva", "max")}
    with serving(file, QUICK) as here:
        lines = {author: here.line(token) for author, token in tokens.items()}
        for author, line in lines.items():
            followed(line, submitted(line, starter(tmp_path, author), None).number, lambda _text: None)
        run = referee("league", "run", file)
        assert run.code == 0, run.err
        match = "agent-avenue/simple/eva@1+max@1/deal-0/turn-0"
        seen = spar(lines["eva"], bot="eva@1", against="max@1", match=match)
        assert (seen.match, seen.deals, len(seen.matches)) == (match, 1, 2)
        mark = '<span class="mark">unrated</span>'
        marks = {author: page_of_match(here.url, match, token).count(mark) for author, token in tokens.items()}
        assert marks == {"eva": 2, "max": 0}
        assert here.stop() == 0
    main = f"sqlite:///{tmp_path / 'autumn.sqlite'}"
    played = store_of(home_of(main, "autumn", seen.number))
    with Store(main, "autumn") as store, Store(played, f"scrimmage-{seen.number}") as own:
        told = store.transcript(match)
        assert told is not None
        assert {it.record.header.deal_seed for _, it in own.transcripts()} == {told.record.header.deal_seed}


@pytest.mark.submissions
@pytest.mark.timeout(1200)
def test_bots_that_read_lines_are_submitted_and_play_leagues_and_scrimmages_as_over_grpc(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    more = 'sandbox = "bubblewrap"\n[submissions]\nfree_mib = 0\n[service]\n'
    file = write_league(tmp_path / "autumn.toml", [], deals=1, more=more)
    tokens = {author: token_of(author, file) for author in ("eva", "max")}
    with serving(file) as here:
        for (author, token), protocol in zip(tokens.items(), ("lines", "flat"), strict=True):
            line = here.line(token)
            told = list[str]()
            bot = write_alike(tmp_path / author, protocol, author)
            assert followed(line, submitted(line, bot, None).number, told.append) == "entered", "".join(told)
        run = referee("league", "run", file)
        assert run.code == 0, run.err
        seen = spar(here.line(tokens["eva"]), bot="eva@1", against="max@1", deals="1")
        assert here.stop() == 0
    main = f"sqlite:///{tmp_path / 'autumn.sqlite'}"
    played = store_of(home_of(main, "autumn", seen.number))
    for url, league in ((main, "autumn"), (played, f"scrimmage-{seen.number}")):
        with Store(url, league) as store:
            transcripts = [transcript for _, transcript in store.transcripts()]
        assert len(transcripts) == 2
        for transcript in transcripts:
            assert_by_rule(transcript)


def page_of_match(league: str, match: str, token: str) -> str:
    asked = Request(f"{league}/match/{quote(match)}", headers={"authorization": f"Bearer {token}"})  # noqa: S310
    with urlopen(asked, context=create_default_context(cafile=CA)) as answer:  # noqa: S310
        page: str = answer.read().decode()
    return page


def starter(folder: Path, name: str) -> Path:
    bot = folder / name
    assert referee("new", "python", "--protocol", "grpc", bot).code == 0
    manifest = bot / "bot.toml"
    manifest.write_text(re.sub(r'(?m)^name = ".*"$', f'name = "{name}"', manifest.read_text()))
    return bot


def spar(line: LeagueClient, **query: Any) -> ScrimmageView:
    """Ask for a scrimmage and wait until it was played."""
    asked = line.ask(ScrimmageView, "scrimmages", **query)
    until_s = time.monotonic() + 600
    while (seen := line.get(ScrimmageView, "scrimmages", str(asked.number))).stage == "waiting":
        assert time.monotonic() < until_s
        time.sleep(0.5)
    assert seen.stage == "played", seen
    return seen
