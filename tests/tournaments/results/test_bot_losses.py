"""The losses of bots are counted as they can be searched for, and single matches are named on closed deals only."""

from collections.abc import Iterator, Sequence

import pytest
from msgspec.structs import replace

from referee.core.outcome import FAULT, Outcome, Side
from referee.match.transcript import FaultKind, FaultMark
from tests.tournaments.leagues import SEED, league, plan
from tournaments.league.deals import ClosedDeals, LeagueDeals, OwnDeals
from tournaments.league.model import Fixture, League, StoredMatch
from tournaments.rating.contest import contests
from tournaments.rating.ranking import ranking
from tournaments.results.bot_losses import BotLosses, Highlights, losses_of

DEALS = 8
LEAGUE = league(("ann", "bob", "cid"), deals=DEALS)
CLOSED = LeagueDeals(ClosedDeals(closed_ms=1))
HALF = LeagueDeals(ClosedDeals(below=DEALS // 2))


def result(fixture: Fixture, winner: int, fault: bool = False, stored_ms: int = 0) -> StoredMatch:
    faults = (FaultMark(1 - winner, 3, FaultKind.CRASH),) if fault else ()
    places = tuple(1 if seat == winner else 2 for seat in range(2))
    outcome = Outcome(FAULT if fault else "won", places, (Side("a", (0,)), Side("b", (1,))))
    return StoredMatch(
        fixture.id, f"digest of {fixture.id}", fixture.entries, outcome, faults, (2, 3), (2_000, 9_000), stored_ms
    )


def by_name(of: League = LEAGUE) -> Iterator[tuple[Fixture, StoredMatch]]:
    """The name that comes first in the alphabet wins; but on deal 1 all lose in seat 1, and on deal 5 in seat 0."""
    for fixture in plan(of):
        first = fixture.entries.index(min(fixture.entries))
        yield fixture, result(fixture, {1: 0, 5: 1}.get(fixture.deal, first), stored_ms=fixture.deal * 10_000_000)


def found(
    deals: LeagueDeals = CLOSED, matches: Sequence[tuple[Fixture, StoredMatch]] | None = None, of: League = LEAGUE
) -> tuple[dict[str, BotLosses], Highlights]:
    played = list(by_name(of)) if matches is None else matches
    return losses_of(of, ranking(of, SEED, contests(of, played)), played, deals)


def test_losses_are_counted_by_opponent_seat_side_and_ending() -> None:
    cid = found()[0]["cid@1"]
    assert (cid.matches, cid.losses) == (32, 28)
    assert [(each.name, each.losses, each.matches) for each in cid.opponents] == [("ann@1", 14, 16), ("bob@1", 14, 16)]
    assert [(each.table, each.name, each.losses) for each in cid.seats] == [("of-2", "0", 14), ("of-2", "1", 14)]
    assert [(each.name, each.losses) for each in cid.sides] == [("a", 14), ("b", 14)]
    assert [(each.name, each.losses) for each in cid.endings] == [("won", 28)]
    assert "/deal-7/" in cid.opponents[0].match


def test_the_most_surprising_losses_come_first() -> None:
    found_, highlights = found()
    surprises = found_["ann@1"].surprises
    assert {each.match.split("/deal-")[1][0] for each in surprises} == {"1", "5"}
    assert all("cid@1" in each.match for each in surprises[:2])
    assert surprises[0].expected > 0.8 > found_["cid@1"].surprises[-1].expected
    assert highlights.surprise == surprises[0]


def test_the_highlights_are_of_the_last_day_and_the_most_even_match_comes_first() -> None:
    late = [(fixture, replace(played, stored_ms=10**9 * (fixture.deal == 7))) for fixture, played in by_name()]
    highlights = found(matches=late)[1]
    assert highlights.surprise is not None
    assert all("/deal-7/" in match for match in (highlights.surprise.match, *highlights.even))
    assert len(highlights.even) == 6


def test_a_bot_that_lost_where_another_won_in_its_place_has_both_matches() -> None:
    cid = found()[0]["cid@1"]
    assert cid.deals_better == 6  # on deals 1 and 5 the seat alone decides
    assert {each.bot for each in cid.better} <= {"ann@1", "bob@1"}
    for each in cid.better:
        lost, won = each.lost.split("/"), each.won.split("/")
        assert lost[3] == won[3]
        assert set(lost[2].split("+")) - {"cid@1"} == set(won[2].split("+")) - {each.bot}


def test_where_several_others_won_a_version_of_the_bot_is_named() -> None:
    of = league(("ann", "bob", "cid", "bob+x"), deals=DEALS)
    strong = ("ann@1", "bob@1", "cid@1", "bob+x@1")
    matches = [
        (fixture, result(fixture, fixture.entries.index(min(fixture.entries, key=strong.index))))
        for fixture in plan(of)
    ]
    better = found(matches=matches, of=of)[0]["bob+x@1"].better
    assert {each.bot for each in better if "cid@1" in each.lost} == {"bob@1"}


def test_the_lead_of_a_version_has_an_interval_if_20_deals_say_something_and_10_of_them_differ() -> None:
    def interval(deals: int, lost: int) -> object:
        of = league(("ann", "bob", "bob+x"), deals=deals)
        matches = [
            (fixture, result(fixture, fixture.entries.index("ann@1" if fixture.deal < lost else "bob@1")))
            if {"ann@1", "bob@1"} == set(fixture.entries)
            else (fixture, result(fixture, 0))
            for fixture in plan(of)
        ]
        return found(matches=matches, of=of)[0]["bob@1"].versions[0].interval

    assert interval(20, 9) is None
    assert interval(19, 10) is None
    assert interval(20, 10) == pytest.approx((-0.240, 0.240), abs=0.001)


def test_matches_with_luck_of_their_own_are_not_compared() -> None:
    own = replace(CLOSED, own=OwnDeals(tables=frozenset({"of-2"})))
    of = league(("ann", "bob", "bob+x"), deals=DEALS)
    assert found(CLOSED, of=of)[0]["bob@1"].versions
    cid = found(own, of=of)[0]["bob@1"]
    assert (cid.better, cid.deals_better, cid.versions) == ((), 0, ())


def test_a_match_with_luck_of_its_own_is_named_as_soon_as_it_ends_and_one_with_common_luck_is_not() -> None:
    is_open = LeagueDeals(ClosedDeals())
    own = replace(is_open, own=OwnDeals(tables=frozenset({"of-2"})))
    assert found(own)[0]["cid@1"].latest
    assert found(own)[1].even
    assert found(is_open)[0]["cid@1"].latest == {}
    assert found(is_open)[1] == Highlights()


def test_versions_are_compared_on_the_same_deals_in_the_same_seats_against_the_same_bots() -> None:
    of = league(("ann", "bob", "bob+x"), deals=DEALS)
    matches = [
        (fixture, result(fixture, fixture.entries.index("bob@1")) if "bob@1" in fixture.entries else result(fixture, 0))
        for fixture in plan(of)
    ]
    (lead,) = found(matches=matches, of=of)[0]["bob@1"].versions
    assert (lead.bot, lead.deals, lead.lead) == ("bob+x@1", DEALS, 0.5)
    assert lead.interval is None  # the lead is the same on all deals, so nothing says how uncertain it is
    (back,) = found(matches=matches, of=of)[0]["bob+x@1"].versions
    assert (back.bot, back.lead) == ("bob@1", -0.5)


def test_faults_are_listed_with_seat_and_decision_and_are_no_surprises() -> None:
    matches = [(fixture, result(fixture, 1, fault=fixture.entries[0] == "ann@1")) for fixture in plan(LEAGUE)]
    ann = found(matches=matches)[0]["ann@1"]
    assert len(ann.faults) == 16
    assert {(each.seat, each.decision, each.kind) for each in ann.faults} == {(0, 3, "crash")}
    assert ann.surprises == ()
    assert ann.latest == {}


def test_single_matches_on_open_deals_are_not_named_and_what_is_counted_is_public_anyway() -> None:
    matches = [(fixture, result(fixture, 1, fault=fixture.deal % 2 == 1)) for fixture in plan(LEAGUE)]
    half, highlights = found(HALF, matches)
    whole, _ = found(CLOSED, matches)
    for bot, losses in half.items():
        named = [*(each.match for each in losses.surprises), *(each.match for each in losses.faults), *losses.latest]
        named += [match for each in losses.better for match in (each.lost, each.won)]
        named += [each.match for each in (*losses.opponents, *losses.seats, *losses.sides, *losses.endings)]
        named += [highlights.surprise.match if highlights.surprise else "", *highlights.even]
        assert {int(match.split("/deal-")[1].split("/")[0]) < DEALS // 2 for match in named if match} == {True}
        assert (losses.matches, losses.losses) == (whole[bot].matches, whole[bot].losses)
