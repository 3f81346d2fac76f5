"""Where sides are dealt, nobody but the organizer learns who had which in an open match.

Nobody learns it from one look, and nobody from many looks, one after each match.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from referee.core.outcome import Outcome, Side, faulted
from referee.match.terms import Clock
from referee.match.transcript import Choice, FaultKind, FaultMark, Metadata, Record, Remark, Spent, Transcript
from tests.tournaments.exporting import INSIDE, league_of, table
from tests.tournaments.fakes import FakeExecutor, Run
from tests.tournaments.leagues import SEED, league, plan
from tests.tournaments.web.queries import worlds
from tests.tournaments.web.queries.test_sealing import differences
from tests.tournaments.web.queries.worlds import MOMENT_MS, everybody, everything, opened
from tournaments.league import league_seed
from tournaments.league.model import FinishedMatch, Fixture, League, StoredMatch, TableSpec, finished
from tournaments.league.service_terms import SubmissionTerms
from tournaments.rating.bot_records import records
from tournaments.results import computed_tables, league_tables
from tournaments.results.stored_league import open_results
from tournaments.web.queries import PublishedLeague, build_views
from tournaments.web.visibility.match_view import MatchView
from tournaments.web.visibility.permissions import Assistant, Author, Organizer, Permissions, Viewer, Visitor

SEATS = 3
DEALS = 2
VIEWERS = (Visitor(), Assistant(), Author("alice"))
"""Alice has a bot in every match."""

Insiders = Sequence[int]
"""By deal, the seat of the insider. Worlds differ in this and in nothing else."""

Look = dict[str, bytes]


def dealt(bots: Sequence[str] = ("cid",)) -> League:
    """Every group of three plays nim: one of them is dealt the insider, and plays against the two others."""
    table = TableSpec("dealt", SEATS, {"mode": "plain"}, deals_sides=True)
    return replace(league(bots=bots, deals=DEALS, tables=(table,)), submissions=SubmissionTerms())


def played(of: League, fixture: Fixture, insiders: Insiders) -> FinishedMatch:
    """A match. Who the insider is decides everything: who wins, who fails, and what a bot says.

    No bot fails so often that it is suspended: a suspension tells in which match it began.
    """
    seat = insiders[fixture.deal]
    insider = fixture.entries[seat]
    others = tuple(other for other in range(SEATS) if other != seat)
    fate = Random(f"{insider} {fixture.deal}").random()
    faults = (FaultMark(seat, 1, FaultKind.CRASH),) if fixture.deal == 0 and fate < 0.3 else ()
    remarks = tuple(Remark(fault.seat, 1, f"I am the insider in seat {seat}", f"seat {seat}") for fault in faults)
    places = tuple(1 if (at == seat) == (fate < 0.7) else 2 for at in range(SEATS))
    sides = (Side("insider", (seat,)), Side("agents", others))
    counted = tuple(1 + at if at == seat else 0 for at in range(SEATS))
    whole = Outcome("won" if fate < 0.7 else "caught", places, sides, counted)
    record = Record(
        header=league_seed.header(everybody(of), SEED, fixture),
        luck=(),
        choices=tuple(Choice(at, seat) for at in range(SEATS)),
        faults=faults,
        outcome=faulted((), SEATS, frozenset({seat})) if faults else whole,
    )
    spent = tuple(Spent(at, 100 + 50 * (at == seat)) for at in range(SEATS))
    return finished(fixture, Transcript(record, Metadata(Clock(), spent, remarks, ("/a",) * SEATS, "bubblewrap")))


def looks(folder: Path, of: League, insiders: Insiders, *viewers: Viewer, every: int = 1) -> Iterator[list[Look]]:
    """What each viewer sees after every match, or after so many."""
    url = f"sqlite:///{folder / '-'.join(map(str, insiders))}.sqlite"
    fixtures = plan(everybody(of))
    with opened(url, of) as store, PublishedLeague(of, url) as shown:
        for number, fixture in enumerate(fixtures, 1):
            assert store.save([played(of, fixture, insiders)], 1_000 * number)
            if number % every == 0 or number == len(fixtures):
                shown.refresh(MOMENT_MS + number)
                yield [everything(shown, viewer) | {"pulse": msgspec.json.encode(shown.pulse())} for viewer in viewers]


@pytest.mark.slow
def test_after_every_match_all_but_the_organizer_see_the_same_whoever_the_insider_is(tmp_path: Path) -> None:
    of = dealt()
    both = zip(looks(tmp_path, of, (0, 2), *VIEWERS), looks(tmp_path, of, (1, 0), *VIEWERS), strict=True)
    for number, (one, other) in enumerate(both, 1):
        for viewer, here, there in zip(VIEWERS, one, other, strict=True):
            assert differences(here, there) == set(), (viewer, number)
    assert number == SEATS * DEALS
    assert b'"matches":6' in one[0]["standings 100"]


@pytest.mark.slow
def test_the_same_holds_where_several_groups_are_under_way(tmp_path: Path) -> None:
    of = dealt(("cid", "dee"))
    both = zip(
        looks(tmp_path, of, (0, 2), *VIEWERS, every=4), looks(tmp_path, of, (2, 1), *VIEWERS, every=4), strict=True
    )
    for one, other in both:
        assert [differences(*each) for each in zip(one, other, strict=True)] == [set()] * len(VIEWERS)


PLANTED: tuple[tuple[Any, str, Any, set[str]], ...] = (
    (Permissions, "sees_result", lambda *_: True, {"match", "matches", "page"}),
    (computed_tables, "public_results", lambda _league, matches, _deals: matches, {"standings", "crosstable"}),
    (build_views, "_visible_records", lambda part, _permissions: (part.seats, part.known_sides), {"sides", "bot"}),
    (
        league_tables,
        "_public_records",
        lambda given: records(given.league, given.matches),
        {"standings", "sides", "bot"},
    ),
    (league_tables, "ends_of_deals", lambda matches: range(1, len(matches) + 1), {"ratings"}),
)


@pytest.mark.slow
@pytest.mark.parametrize(("where", "name", "leak", "found"), PLANTED, ids=[name for _, name, _, _ in PLANTED])
def test_a_planted_leak_is_found(
    where: Any, name: str, leak: Any, found: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, name, leak)
    of, leaking = dealt(), set()
    for one, other in zip(*(looks(tmp_path, of, each, Visitor()) for each in ((0, 2), (1, 0))), strict=True):
        leaking |= differences(one[0], other[0])
    assert found <= leaking


def guess(look: Look, deal: int) -> int:
    """The seat of the insider on a deal, as a bot guesses it that enters late: the one whose place stands alone."""
    for asked, answer in sorted(look.items()):
        if asked.startswith("match ") and f"/deal-{deal}/" in asked:
            seats = msgspec.json.decode(answer)["seats"]
            places = [seat["place"] for seat in seats]
            alone = [seat for seat, place in enumerate(places) if places.count(place) == 1]
            failed = [seat["seat"] for seat in seats if seat["fault"]]
            if alone or failed:
                return int((failed or alone)[0])
    return 0


@pytest.mark.slow
def test_a_bot_that_enters_late_knows_the_insider_no_better_than_chance_from_all_that_a_visitor_sees(
    tmp_path: Path,
) -> None:
    every = list(product(range(SEATS), repeat=DEALS))
    of = dealt()
    seen, right, right_for_organizer = set(), 0, 0
    for insiders in every:
        ((visitor, organizer),) = looks(tmp_path, of, insiders, Visitor(), Organizer(), every=1_000)
        seen.add(msgspec.json.encode(visitor))
        right += sum(guess(visitor, deal) == insider for deal, insider in enumerate(insiders))
        right_for_organizer += sum(guess(organizer, deal) == insider for deal, insider in enumerate(insiders))
    guesses = len(every) * DEALS
    assert right_for_organizer == guesses  # the guess is good, where there is something to see
    assert right == guesses / SEATS
    assert len(seen) == 1  # so no other guess is better: in every world a visitor sees the same


def test_when_the_league_is_closed_everything_is_told(tmp_path: Path) -> None:
    of, url = dealt(), f"sqlite:///{tmp_path / 'league.sqlite'}"
    fixtures = plan(everybody(of))
    with opened(url, of) as store, PublishedLeague(of, url) as shown:
        for fixture in fixtures[:-1]:
            assert store.save([played(of, fixture, (0, 2))], 1)
        assert shown.refresh(MOMENT_MS)
        assert shown.to(Visitor()).standings().of.matches == SEATS
        assert shown.to(Visitor()).sides().seats == ()
        assert {line.mean_return for line in shown.to(Visitor()).standings().lines} == {None}
        store.close_league(MOMENT_MS)
        assert shown.refresh(MOMENT_MS)
        visitor = shown.to(Visitor())
        assert visitor.standings().of.matches == len(fixtures) - 1
        assert {record.side for record in visitor.sides().sides} == {"agents", "insider"}
        assert all(line.mean_return is not None for line in visitor.standings().lines)
        assert visitor.match(fixtures[0].id).ending is not None


def test_the_worlds_of_these_tests_have_the_fixtures_that_are_asked_for() -> None:
    assert {name for fixture in plan(everybody(dealt())) for name in fixture.entries} >= set(worlds.AUTHORS)


@pytest.mark.slow
def test_the_same_holds_in_inside_job_where_the_places_of_a_match_give_the_insider(tmp_path: Path) -> None:
    spec = replace(table(INSIDE, SEATS), deals_sides=INSIDE.deals_sides(INSIDE.options_type()))
    of, url = league_of(INSIDE, [spec], ("ann", "bob", "cid"), deals=18), f"sqlite:///{tmp_path / 'store.sqlite'}"
    with Run(tmp_path, of) as run:
        run.play(FakeExecutor(game=INSIDE))
    with open_results(of, url) as results:
        insiders = {_deal_of(played): _insider(played) for played in results.matches()}
    with PublishedLeague(of, url) as shown:
        assert shown.refresh(MOMENT_MS)
        visitor, organizer = (everything(shown, viewer) for viewer in (Visitor(), Organizer()))
        told = {_without_its_name(shown.to(Visitor()).match(fixture.id)) for fixture in plan(of)}
    assert set(insiders.values()) == set(range(SEATS))
    assert all(guess(organizer, deal) == seat for deal, seat in insiders.items())  # where there is something to see
    assert {guess(visitor, deal) for deal in insiders} == {0}
    assert len(told) == 1  # so no other guess is better: all matches look the same to a visitor


def _deal_of(played: StoredMatch) -> int:
    return int(played.fixture.split("/deal-")[1].split("/")[0])


def _insider(played: StoredMatch) -> int:
    ((seat,),) = (side.seats for side in played.outcome.sides if len(side.seats) == 1)
    return seat


def _without_its_name(match: MatchView) -> bytes:
    """All that is told about a match, but not which one it is and who sat where."""
    seats = tuple(replace(seat, bot="") for seat in match.seats)
    return msgspec.json.encode(replace(match, match="", deal=0, rotation=0, seats=seats))
