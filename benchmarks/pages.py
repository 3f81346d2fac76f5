"""The cost of the pages of leagues of 500 bots and 100,000 matches, and of 200 bots and 20,000 matches.

It is the processor time of every question and page. In the smaller league it is divided by that of a fixed piece of
work, and the length of every page on the wire is measured, too.

A league is made up: a wave of closed deals and one of open deals, each bot in as many matches as any other. Its
matches have the right form and were never played.

    python -m benchmarks.pages [BOTS MATCHES]
"""

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from itertools import islice
from random import Random
from urllib.parse import parse_qsl

import msgspec
from msgspec.structs import replace
from rich.console import Console

import referee
from benchmarks.kernel import reference_second
from benchmarks.leagues import echo_league
from benchmarks.rows import Pair, Row, Target, paired_row, plain_row, table
from benchmarks.sample_players import SamplePlayer
from benchmarks.scale import transcript_of
from referee.match.transcript import Transcript
from referee.wire.registry import game_entry
from tournaments.league import league_seed
from tournaments.league.format_settings import BalancedSettings, OpenSettings
from tournaments.league.model import Entry, FinishedMatch, Fixture, League, TableSpec, finished
from tournaments.schedule.formats.format import NothingPlayed
from tournaments.schedule.formats.issued_waves import IssuedWave, IssuedWaves, line_ups_of
from tournaments.schedule.formats.round_robin import RoundRobin
from tournaments.store import MatchSearch, Store
from tournaments.store.pinned_league import Content
from tournaments.web.page_router import Pages
from tournaments.web.pages.bots import DecisionCache
from tournaments.web.pages.lists import TableSearch
from tournaments.web.pages.matches import SearchForm
from tournaments.web.pages.rendering import PageFrame, rendered
from tournaments.web.pages.urls import SERVED, PageAddress
from tournaments.web.queries import LeagueQueries, PublishedLeague
from tournaments.web.service.replies import compressed
from tournaments.web.visibility.permissions import Visitor

BOTS, MATCHES = 500, 100_000
_DEALS = 10
_WAVES = 2
_SEED = bytes(32)
_TIMES = 5
_TARGET = Target(first=100, then=50)
_A_GROUP = 2_000
_PLAYERS = {"agent-avenue": "counter", "inside-job": "careful", "agonia": "defender"}
_DECISIONS = DecisionCache()
"""A server has one, too."""


def all_rows() -> list[Row]:
    """The rows of both leagues, and of the pages of played matches."""
    return [*rows(), *usual_rows(), *replayed_rows()]


def replayed_rows() -> list[Row]:
    """For each game: the processor time of the page of a match, over a thousandth of a second of the reference machine.

    The sample bots have played it, with the most players. Such a page plays the match again.
    """
    return [_replayed_row(game, bot) for game, bot in _PLAYERS.items()]


def _replayed_row(game: str, bot: str) -> Row:
    rules = game_entry(game).game
    options = rules.varieties[0]
    seats = max(rules.seats(options))
    given = msgspec.to_builtins(options)
    match = referee.play(game, [SamplePlayer(bot) for _ in range(seats)], seed=1, options=given, strict=True)
    league = replace(
        league_of(seats),
        game=game,
        deals=1,
        rules_version=rules.rules_version,
        draw_probability=rules.draw_probability,
        format=BalancedSettings(),
        tables=(TableSpec("table", seats, given),),
    )
    fixtures = list(RoundRobin(league).wave(0, NothingPlayed()) or ())
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/pages.sqlite"
        with Store(url, league.name) as store:
            store.open_league(league, {entry.name: Content("tree", "built") for entry in league.entries}, _SEED, 0)
            store.save([_stored(match.transcript, fixture) for fixture in fixtures], 0)
            store.close_league(0)
        with PublishedLeague(league, url) as shown:
            shown.refresh(1)
            place = PageAddress("match", league.name, fixtures[0].id)
            spent = [Pair(_cpu_ms(partial(_page, shown, place)), reference_second()) for _ in range(_TIMES)]
    name = f"page of a match of {game} with {seats} players, played again: CPU ms"
    return paired_row(name, spent, "lower", Target(first=40, then=25))


def _stored(played: Transcript, fixture: Fixture) -> FinishedMatch:
    """The match of a fixture, with the course of another."""
    header = replace(played.record.header, fixture=fixture.id, entries=fixture.entries)
    return finished(fixture, replace(played, record=replace(played.record, header=header)))


def usual_rows(bots: int = 200, matches: int = 20_000) -> list[Row]:
    """For each page: its processor time over a thousandth of a second of the reference machine, and its length."""
    of = f"{bots:,} bots, {matches:,} matches"
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/pages.sqlite"
        league = league_of(bots)
        fill(url, league, matches)
        found = []
        with PublishedLeague(league, url) as shown:
            shown.refresh(1)
            for name, place in places(league).items():
                spent = [Pair(_cpu_ms(partial(_page, shown, place)), reference_second()) for _ in range(_TIMES)]
                wire = len(compressed(_page(shown, place))) / 1_000
                found.append(paired_row(f"page of {name}, {of}: CPU ms", spent, "lower", Target(first=25, then=15)))
                found.append(plain_row(f"page of {name}, {of}: KB on the wire", [wire], "lower", Target(40, 20)))
    return found


def rows(bots: int = BOTS, matches: int = MATCHES) -> list[Row]:
    """One row for each question and each page: the median of some times that it is asked anew. And the refresh."""
    of = f"{bots:,} bots, {matches:,} matches"
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/pages.sqlite"
        league = league_of(bots)
        fill(url, league, matches)
        with PublishedLeague(league, url) as shown:
            refresh_s = _cpu_ms(lambda: shown.refresh(1)) / 1_000
            found = [plain_row(f"refresh of what is shown, {of}: CPU s", [refresh_s], "lower")]
            for name, ask in questions(league).items():
                spent = [_cpu_ms(partial(_answer, shown, ask)) for _ in range(_TIMES)]
                found.append(plain_row(f"showing {name}, {of}: CPU ms", spent, "lower", _TARGET))
            for name, place in places(league).items():
                spent = [_cpu_ms(partial(_page, shown, place)) for _ in range(_TIMES)]
                found.append(plain_row(f"page of {name}, {of}: CPU ms", spent, "lower", _TARGET))
            pulse = [_cpu_ms(shown.pulse) for _ in range(_TIMES)]
            found.append(plain_row(f"pulse, {of}: CPU ms", pulse, "lower", _TARGET))
            return found


def questions(league: League) -> dict[str, Callable[[LeagueQueries], object]]:
    """What is asked, as a page with a JSON form asks it."""
    bot, rare = league.entries[len(league.entries) // 2].name, league.entries[-1].name
    match = next(_line_ups(league, 0, len(league.entries)))
    return {
        "the league": lambda it: it.league(),
        "100 lines of standings": lambda it: it.standings(after=100),
        "50 x 50 cells of the crosstable": lambda it: it.crosstable(0, 50),
        "sides and seats": lambda it: it.sides(),
        "ratings of ten bots": lambda it: it.ratings(),
        "rounds": lambda it: it.rounds(),
        "50 matches": lambda it: it.matches(),
        "50 matches of a bot": lambda it: it.matches(MatchSearch(bots=(bot,))),
        "50 matches of a table with an ending": lambda it: it.matches(MatchSearch(table="simple", ending="worn out")),
        "50 matches with a fault": lambda it: it.matches(MatchSearch(fault="timeout")),
        "a bot's matches with a fault that it never had": lambda it: it.matches(
            MatchSearch(bots=(rare,), fault="crash")
        ),
        "50 matches from the middle": lambda it: it.matches(after=match.id),
        "a match": lambda it: it.match(match.id),
        "a transcript": lambda it: it.transcript(match.id),
        "a bot": lambda it: it.bot(bot),
        "100 entries": lambda it: it.entries(),
        "submissions": lambda it: it.submissions(),
    }


def places(league: League) -> dict[str, PageAddress]:
    """The pages of the league, at their longest."""
    bot = league.entries[len(league.entries) // 2].name
    match = next(_line_ups(league, 0, len(league.entries)))
    rival = league.entries[len(league.entries) // 2 + 1].name
    return {
        "100 lines of standings": PageAddress("standings", league.name, after="100"),
        "100 lines of standings by score": PageAddress("standings", league.name, query="sort=-score"),
        "matches of two bots": PageAddress("matches", league.name, bot, query=f"other={rival}"),
        "50 x 50 cells of the crosstable": PageAddress("crosstable", league.name, after="0-50"),
        "sides and seats": PageAddress("fared", league.name),
        "ratings over matches": PageAddress("history", league.name),
        "100 matches": PageAddress("matches", league.name),
        "100 matches of a bot": PageAddress("matches", league.name, bot),
        "a match": PageAddress("match", league.name, match.id),
        "a bot": PageAddress("bot", league.name, bot),
        "the losses of a bot": PageAddress("losses", league.name, bot),
        "the decisions of a bot in lost matches": PageAddress("decisions", league.name, bot),
        "100 entries": PageAddress("entries", league.name),
        "the league": PageAddress("league", league.name),
    }


def league_of(bots: int) -> League:
    """An open league of bots that do not exist."""
    entries = tuple(Entry(f"bot{number:03}@1", f"/bots/{number}") for number in range(bots))
    return replace(echo_league(_DEALS), entries=entries, seed=_SEED.hex(), rehearsal=False, format=OpenSettings())


def fill(url: str, league: League, matches: int) -> None:
    """Store the waves and their matches."""
    with Store(url, league.name) as store:
        store.open_league(league, {entry.name: Content("tree", "built") for entry in league.entries}, _SEED, 0)
        for wave in range(_WAVES):
            issue = _issue(league, wave, matches)
            assert store.issue(wave, issue, store.decisions(), 0, issue.first_deal)
        made = (_match(league, fixture) for wave in range(_WAVES) for fixture in _line_ups(league, wave, matches))
        while group := list(islice(made, _A_GROUP)):
            store.save(group, 0)


def _line_ups(league: League, wave: int, matches: int) -> Iterator[Fixture]:
    found = IssuedWaves(league.game, [_issue(league, wave, matches)]).wave(0, NothingPlayed())
    return iter(found or ())


def _issue(league: League, wave: int, matches: int) -> IssuedWave:
    """A wave in which each bot meets as many others as any other: those that come next in a circle."""
    names = [entry.name for entry in league.entries]
    deals = _DEALS // _WAVES
    each = max(1, matches // (len(names) * 2 * _DEALS))
    groups = [(name, names[(at + step) % len(names)]) for step in range(1, each + 1) for at, name in enumerate(names)]
    return IssuedWave(tuple(names), tuple(dict.fromkeys(line_ups_of(league.tables, groups))), wave * deals, deals)


@lru_cache(maxsize=1)
def _course() -> Transcript:
    """A match that was played."""
    league = echo_league(1)
    wave = RoundRobin(league).wave(0, NothingPlayed())
    assert wave is not None
    fixture = next(iter(wave))
    return transcript_of(league_seed.header(league, _SEED, fixture), [2, 3])


def _match(league: League, fixture: Fixture) -> FinishedMatch:
    """A match with an outcome and times of its own, and the course of another."""
    header = league_seed.header(league, _SEED, fixture)
    whole = _course()
    luck = Random(fixture.id)
    strong = [int(entry[3:6]) for entry in fixture.entries]
    first = luck.random() < strong[0] / (strong[0] + strong[1] + 1)
    outcome = replace(whole.record.outcome, places=(1, 2) if first else (2, 1))
    spent = tuple(replace(each, us=luck.randrange(100, 2_000)) for each in whole.metadata.spent)
    record = replace(whole.record, header=header, outcome=outcome)
    return finished(fixture, Transcript(record, replace(whole.metadata, spent=spent)))


def _answer(shown: PublishedLeague, ask: Callable[[LeagueQueries], object]) -> bytes:
    return msgspec.json.encode(ask(shown.to(Visitor())))


def _page(shown: PublishedLeague, place: PageAddress) -> bytes:
    """A page as a server sends it."""
    given = dict(parse_qsl(place.query))
    asked = SearchForm({**SearchForm().values, **given}) if place.kind == "matches" else TableSearch(**given)
    pages = Pages(shown.to(Visitor()), search=asked, decision_cache=_DECISIONS)
    page = pages.page(place)
    return rendered(page, PageFrame(pages.league), SERVED).encode()


def _cpu_ms(do: Callable[[], object]) -> float:
    began = time.process_time()
    do()
    return (time.process_time() - began) * 1_000


if __name__ == "__main__":
    given = tuple(map(int, sys.argv[1:]))
    Console(width=None if sys.stdout.isatty() else 130).print(table(rows(*given) if given else all_rows()))
