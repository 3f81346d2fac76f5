from collections.abc import Iterable, Mapping

import msgspec

from referee.core.outcome import FAULT, Outcome, Side
from referee.match.transcript import FaultKind, FaultMark
from tests.tournaments.leagues import league, plan
from tests.tournaments.seasons import table_of
from tournaments.league.model import Fixture, League, StoredMatch, TableSpec
from tournaments.rating.cooperation import Cooperation, TeamRecord, cooperations

BOTH = ((0, 1),)
MIXED = TableSpec("mixed", 2, {"board": "main"}, sides=BOTH)
ALONE = TableSpec("alone", 2, {"board": "main"}, "teams", BOTH)
ELSEWHERE = TableSpec("elsewhere", 2, {"board": "secondary"}, sides=BOTH)


def here(*tables: TableSpec, deals: int = 2) -> League:
    return league(("ann", "bob", "cid"), deals=deals, tables=tables)


def result(fixture: Fixture, score: int, *, fault: bool = False) -> StoredMatch:
    """A match that is won with a score of 80 and more."""
    outcome = Outcome("over", (1 if score >= 80 else 2,) * 2, (Side("all", (0, 1)),), (score, score))
    if fault:
        outcome = Outcome(FAULT, (2, 2), outcome.sides)
    faults = (FaultMark(0, 1, FaultKind.CRASH),) if fault else ()
    return StoredMatch(fixture.id, fixture.id, fixture.entries, outcome, faults, (1, 1), (1, 1), 0)


WORTH = {"ann@1": 70, "bob@1": 35, "cid@1": 10}


def by_worth(fixture: Fixture) -> StoredMatch:
    """A bot brings its worth, and one more on odd deals."""
    return result(fixture, sum(WORTH[name] for name in fixture.entries) + fixture.deal % 2)


def told(here: League, results: Iterable[StoredMatch], suspended: Iterable[str] = ()) -> tuple[Cooperation, ...]:
    fixtures = {fixture.id: fixture for fixture in plan(here)}
    return cooperations(here, [(fixtures[played.fixture], played) for played in results], suspended)


def records(found: Cooperation) -> Mapping[tuple[str, ...], TeamRecord]:
    return {record.bots: record for record in found.records}


def test_every_two_bots_are_compared_by_the_matches_in_which_both_sat() -> None:
    (found,) = told(here(MIXED), map(by_worth, plan(here(MIXED))))
    assert (found.tables, found.deals) == (("mixed",), 2)
    assert records(found)["ann@1", "bob@1"] == TeamRecord(("ann@1", "bob@1"), 4, 4, 1.0, 105.5)
    assert records(found)["bob@1", "cid@1"] == TeamRecord(("bob@1", "cid@1"), 4, 0, 0.0, 45.5)
    assert records(found)["ann@1",] == TeamRecord(("ann@1",), 8, 8, 1.0, (105.5 + 80.5) / 2)


def test_tables_of_the_same_seats_and_options_are_compared_on_their_common_deals_and_no_others() -> None:
    league_ = here(MIXED, ELSEWHERE, ALONE)
    together, elsewhere = told(league_, map(by_worth, plan(league_)))
    assert (together.tables, elsewhere.tables) == (("mixed", "alone"), ("elsewhere",))
    assert records(together)["ann@1", "ann@1"] == TeamRecord(("ann@1", "ann@1"), 2, 2, 1.0, 140.5)
    assert ("ann@1", "ann@1") not in records(elsewhere)


def test_tables_of_different_luck_are_told_apart() -> None:
    league_ = here(MIXED, msgspec.structs.replace(ALONE, luck="own"))
    together, alone = told(league_, map(by_worth, plan(league_)))
    assert ((together.tables, together.luck), (alone.tables, alone.luck)) == (
        (("mixed",), "common"),
        (("alone",), "own"),
    )


def test_only_deals_that_all_have_played_are_counted() -> None:
    league_ = here(MIXED, deals=3)
    (found,) = told(league_, [by_worth(of) for of in plan(league_) if of.deal < 2 or "ann@1" in of.entries])
    assert (found.deals, {record.matches for record in found.records}) == (2, {4, 8})


def test_without_a_deal_that_all_have_played_there_is_no_comparison() -> None:
    league_ = here(MIXED)
    (found,) = told(league_, [by_worth(of) for of in plan(league_) if of.deal == ("ann@1" in of.entries)])
    assert (found.deals, found.records) == (0, ())


def test_a_fault_is_a_loss_without_a_score() -> None:
    fixtures = plan(here(MIXED))
    (found,) = told(here(MIXED), [result(fixture, 120, fault=fixture.deal == 0) for fixture in fixtures])
    assert records(found)["ann@1", "bob@1"] == TeamRecord(("ann@1", "bob@1"), 4, 2, 0.5, 120.0)
    (failed,) = told(here(MIXED), [result(fixture, 0, fault=True) for fixture in fixtures])
    assert {record.mean_score for record in failed.records} == {None}


def test_what_a_suspended_bot_played_is_left_out() -> None:
    (found,) = told(here(MIXED), map(by_worth, plan(here(MIXED))), ["bob@1"])
    assert set(records(found)) == {("ann@1",), ("cid@1",), ("ann@1", "cid@1")}


def test_in_the_standings_all_bots_of_a_match_win_or_lose_it_and_who_brings_more_is_first() -> None:
    league_ = here(MIXED, deals=20)
    results = [by_worth(fixture) for fixture in plan(league_)]
    table = table_of(league_, results)
    assert [(line.bot, line.wins, line.draws, line.losses) for line in table.standings] == [
        ("ann@1", 80, 0, 0),
        ("bob@1", 40, 0, 40),
        ("cid@1", 40, 0, 40),
    ]
    assert table.separated[0]
    assert table.cooperation == told(league_, results)


def test_matches_with_sides_to_beat_are_no_cooperation() -> None:
    league_ = here(MIXED)
    alone = [msgspec.structs.replace(by_worth(of), outcome=Outcome("over", (1, 2), ())) for of in plan(league_)]
    assert told(league_, alone) == ()
