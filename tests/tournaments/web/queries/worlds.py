"""Leagues of nim in two worlds: open deals differ in all that nobody may know, and in nothing else."""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.core.outcome import Outcome
from referee.match.terms import Clock
from referee.match.transcript import (
    Choice,
    DecisionNote,
    Draw,
    FaultKind,
    FaultMark,
    Metadata,
    Note,
    Record,
    Remark,
    Spent,
    Transcript,
)
from tests.tournaments.accounts import let_in
from tests.tournaments.leagues import SEED, league, plan
from tests.tournaments.stores import in_sql
from tournaments.league import league_seed
from tournaments.league.format_settings import SwissSettings
from tournaments.league.model import Entry, FinishedMatch, Fixture, League, finished
from tournaments.league.service_terms import SubmissionTerms
from tournaments.play.bot_logs import BotLog
from tournaments.schedule.formats.format import NothingPlayed
from tournaments.schedule.formats.issued_waves import IssuedWave, IssuedWaves, line_ups_of
from tournaments.schedule.leaving import LeagueMoment
from tournaments.store import MatchSearch, Store, logs_folder
from tournaments.store.pinned_league import Content
from tournaments.web.queries import BadQuery, LeagueQueries, NotThere, NotYet, PublishedLeague, StandingsQuery
from tournaments.web.visibility.permissions import Viewer

AUTHORS = {"ann@1": "alice", "bob@1": "bert"}
"""By entry, its author. The others are in the league file."""

BOTS = ("ann", "bob", "cid", "dee")
MOMENT_MS = 9_000_000


def round_robin(deals: int = 7, **other: Any) -> League:
    """Everybody meets everybody. `cid` and `dee` are in the file; the others are submitted."""
    return replace(league(bots=BOTS[2:], deals=deals, **other), submissions=SubmissionTerms())


def swiss() -> League:
    """Rounds of three deals."""
    return replace(round_robin(deals=3), format=SwissSettings(rounds=3))


def everybody(of: League) -> League:
    """A league with the bots that were submitted to it."""
    submitted = (Entry(name, "", source=f"source of {name}") for name in AUTHORS)
    return replace(of, entries=(*submitted, *of.entries))


def contents(of: League) -> dict[str, Content]:
    return {entry.name: Content(entry.source or entry.name, "") for entry in everybody(of).entries}


def opened(url: str, of: League) -> Store:
    """A store to which both authors have submitted their bots."""
    store = Store(url, of.name)
    store.open_league(of, {}, SEED, now_ms=1)
    let_in(store, "alice")
    begins = LeagueMoment(by_results=False, phase="not begun")
    for number, (entry, author) in enumerate(AUTHORS.items(), 1):
        in_sql(
            url,
            "INSERT INTO submission VALUES"
            " (:number, 'autumn', :author, :entry, :entry, :source, 10, 'checking', NULL, 0, 2, 3)",
            number=number,
            author=author,
            entry=entry,
            source=f"source of {entry}",
        )
        seen = store.submissions.registry(of).find(entry)
        store.submissions.enter(of, seen, SubmissionTerms(), 4, f"the log of {entry}\n", lambda: begins)
    store.open_league(everybody(of), contents(of), SEED, now_ms=5)
    return store


def outcome_of(fixture: Fixture) -> tuple[Outcome, tuple[FaultMark, ...]]:
    """The public outcome of a match, and its fault."""
    luck = Random(fixture.id)
    faults = (FaultMark(0, 1, FaultKind.TIMEOUT),) if luck.random() < 0.1 else ()
    winner = 1 if faults else luck.randrange(2)
    places = tuple(1 if seat == winner else 2 for seat in range(2))
    return Outcome("fault" if faults else luck.choice(["won", "worn out"]), places, (), None), faults


def played(of: League, fixture: Fixture, world: int) -> FinishedMatch:
    """A match: its luck, choices, times, digest, notes, remarks and stderr are those of its world."""
    luck = Random(f"{world} {fixture.id}")
    outcome, faults = outcome_of(fixture)
    decisions = luck.randint(1, 5)
    faults = tuple(msgspec.structs.replace(fault, decision=decisions) for fault in faults)
    # The bot tries to speak: the number of the decision, our sentence that quotes it, and stderr are of its choice.
    spoken = f"it named no action, but {luck.random()}: status {luck.random()}, it is spy@{luck.random()}"
    remarks = [Remark(fault.seat, decisions, spoken, f"stderr {luck.random()}") for fault in faults]
    remarks += [Remark(1, None, f"it spoke unasked {luck.random()}", "more")] if luck.random() < 0.5 else []
    asked = [seat for seat in range(2) for _ in range(decisions)]
    record = Record(
        header=league_seed.header(everybody(of), SEED, fixture),
        luck=(Draw("deck", tuple(luck.sample(range(9), 9))),),
        choices=tuple(Choice(seat, luck.randrange(9)) for seat in asked),
        faults=faults,
        outcome=outcome,
    )
    spent = tuple(Spent(seat, luck.randint(1, 9_999)) for seat in asked)
    note = Note(f"it holds {luck.random()}", luck.randint(1, 9), luck.randint(1, 9_999))
    notes = tuple(DecisionNote(seat, number, note) for number, seat in enumerate(asked, 1))
    used = tuple(luck.randint(1, 9_999) for _ in fixture.entries)
    aside = Metadata(Clock(), spent, tuple(remarks), ("/a", "/b"), "bubblewrap", notes=notes, processor_us=used)
    return finished(fixture, Transcript(record, aside))


def fill(store: Store, of: League, fixtures: Iterable[Fixture], world: int) -> None:
    """Store matches, each at a time of its world, and what their bots wrote."""
    luck = Random(world)
    for number, fixture in enumerate(fixtures):
        now_ms = 1_000 * number + luck.randrange(1_000)
        assert store.save([played(of, fixture, world)], now_ms)
        for seat, entry in enumerate(fixture.entries):
            log = BotLog(logs_folder(store.url, of.name), entry)
            log.keep(now_ms, fixture.id, seat, f"{entry} in world {world}\n" * luck.randint(1, 3))
            log.close()


def issue_of(first_deal: int, *groups: tuple[str, str]) -> IssuedWave:
    of = everybody(swiss())
    names = tuple(entry.name for entry in of.entries)
    return IssuedWave(names, tuple(line_ups_of(of.tables, groups)), first_deal, 3)


ROUNDS = (
    issue_of(0, ("ann@1", "bob@1"), ("cid@1", "dee@1")),
    issue_of(3, ("ann@1", "cid@1"), ("bob@1", "dee@1")),
)


def of_round(number: int) -> Iterator[Fixture]:
    wave = IssuedWaves("nim", ROUNDS).wave(number, NothingPlayed())
    assert wave is not None
    return iter(wave)


def open_round_robin(url: str, world: int, deals: int = 7) -> League:
    """A round robin of which most was played."""
    of = round_robin(deals)
    with opened(url, of) as store:
        fill(store, of, plan(everybody(of))[: 10 * deals], world)
    return of


def short_round_robin(url: str, world: int) -> League:
    """A round robin of which 20 matches were played, for tests that ask for each of them many times."""
    return open_round_robin(url, world, deals=2)


def swiss_in_its_second_round(url: str, world: int) -> League:
    """The first round is closed, and is the same in all worlds. The second was played in part."""
    of = swiss()
    with opened(url, of) as store:
        for number, issue in enumerate(ROUNDS):
            assert store.issue(number, issue, store.decisions(), 10 + number, issue.first_deal)
        fill(store, of, of_round(0), 0)
        fill(store, of, list(of_round(1))[:9], world)
    return of


def everything(shown: PublishedLeague, viewer: Viewer) -> dict[str, bytes]:
    """All that a viewer can see of a league, by query."""
    return {asked: msgspec.json.encode(answer) for asked, answer in _answers(shown.to(viewer))}


def _answers(showing: LeagueQueries) -> Iterator[tuple[str, object]]:
    yield "league", showing.league()
    for most in (1, 100):
        yield f"standings {most}", _tried(lambda most=most: showing.standings(most=most))
    yield "standings of a table", _tried(lambda: showing.standings(StandingsQuery("of-2")))
    yield "crosstable", _tried(showing.crosstable)
    yield "sides", _tried(showing.sides)
    yield "ratings", _tried(showing.ratings)
    yield "ratings of one", _tried(lambda: showing.ratings("cid@1"))
    yield "rounds", _tried(showing.rounds)
    for search in _SEARCHES:
        yield f"matches {search}", showing.matches(search, most=500)
    after: str | None = None
    for number in range(100):
        page = showing.matches(after=after, most=7)
        yield f"page {number}", page
        for match in page.items:
            name = match.match
            yield f"match {name}", showing.match(name)
            yield f"beside {name}", showing.beside(name)
            yield f"same_deal {name}", showing.same_deal(name)
            yield f"transcript {name}", _tried(lambda name=name: showing.transcript(name))
            yield f"output {name}", _tried(lambda name=name: showing.output(name))
        after = page.next
        if after is None:
            break
    for bot in (*everybody(round_robin()).entries, Entry("eve@1", "")):
        yield f"bot {bot.name}", _tried(lambda name=bot.name: showing.bot(name))
        yield f"losses {bot.name}", _tried(lambda name=bot.name: showing.losses(name))
    yield "highlights", showing.highlights()
    yield "faults", showing.faults()
    yield "operation", showing.operation()
    yield "entries", showing.entries()
    for sort in ("-rating", "score", "-faults", "return"):
        yield f"standings by {sort}", _tried(lambda sort=sort: showing.standings(StandingsQuery(sort=sort, find="1")))
    yield "entries by state", showing.entries(sort="-state", find="1")
    yield "search", _tried(lambda: showing.search("n"))
    yield "submissions", showing.submissions()
    for number in range(1, 4):
        yield f"submission {number}", _tried(lambda number=number: showing.submission(number))


_SEARCHES = (
    MatchSearch(),
    MatchSearch(bots=("ann@1",)),
    MatchSearch(bots=("bob@1",), seat=1),
    MatchSearch(ending="won"),
    MatchSearch(fault="timeout"),
    MatchSearch(bots=("ann@1",), fault="timeout"),
    MatchSearch(table="of-2"),
    MatchSearch(bots=("eve@1",)),
    MatchSearch(bots=("ann@1", "bob@1"), others=("cid@1", "dee@1")),
    MatchSearch(bots=("ann@1",), result="won"),
    MatchSearch(bots=("bob@1",), result="lost", seat=1),
    MatchSearch(bots=("cid@1",), result="drawn"),
)


def _tried(ask: Any) -> object:
    """The answer, or the text of the error."""
    try:
        return ask()
    except (BadQuery, NotThere, NotYet) as refused:
        return str(refused)
