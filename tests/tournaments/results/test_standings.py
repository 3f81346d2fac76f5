from hashlib import sha256
from statistics import NormalDist

import msgspec
import pytest

from referee.core.outcome import FAULT, Outcome, Side
from referee.match.transcript import FaultKind, FaultMark
from tests.tournaments.leagues import league, plan
from tests.tournaments.seasons import table_of
from tournaments.league.model import Fixture, League, StoredMatch, TableSpec
from tournaments.rating.bot_records import SideRecord
from tournaments.rating.scale import BETA
from tournaments.results.standings import Placement, Standing, Standings, StandingView, league_digest

LEAGUE = league(("ann", "bob", "cid"), deals=10)


def result(fixture: Fixture, places: tuple[int, ...], fault: int | None = None) -> StoredMatch:
    faults = () if fault is None else (FaultMark(fault, 1, FaultKind.CRASH),)
    outcome = Outcome(FAULT if faults else "won", places, ())
    return StoredMatch(
        fixture.id, f"digest of {fixture.id}", fixture.entries, outcome, faults, (2, 3), (2_000, 9_000), 0
    )


def table(results: list[StoredMatch], voids: int = 0) -> Standings:
    return table_of(LEAGUE, results, voids)


def by_name(fixture: Fixture) -> StoredMatch:
    """The name that comes first in the alphabet wins."""
    first = fixture.entries.index(min(fixture.entries))
    return result(fixture, (1, 2) if first == 0 else (2, 1))


def test_who_wins_always_is_first_and_separated() -> None:
    found = table([by_name(fixture) for fixture in plan(LEAGUE)])
    assert [(line.rank, line.bot, line.wins, line.losses) for line in found.standings] == [
        (1, "ann@1", 40, 0),
        (2, "bob@1", 20, 20),
        (3, "cid@1", 0, 40),
    ]
    assert found.separated == (True, True)


def test_ratings_have_the_mean_25_and_lie_in_their_intervals() -> None:
    found = table([by_name(fixture) for fixture in plan(LEAGUE)])
    assert sum(line.rating for line in found.standings) / 3 == pytest.approx(25)
    assert all(line.interval and line.interval[0] < line.rating < line.interval[1] for line in found.standings)


def test_a_bot_that_played_too_little_has_no_interval_and_is_separated_from_nobody() -> None:
    beaten = [by_name(fixture) for fixture in plan(LEAGUE) if "cid@1" not in fixture.entries or fixture.deal < 2]
    found = table(beaten)
    assert [(line.bot, line.interval is None) for line in found.standings] == [
        ("ann@1", False),
        ("bob@1", False),
        ("cid@1", True),
    ]
    assert found.separated == (True, False)


def test_a_provisional_bot_stands_below_the_others_whatever_its_rating() -> None:
    late = [by_name(fixture) for fixture in plan(LEAGUE) if "ann@1" not in fixture.entries or fixture.deal < 2]
    lines = table(late).standings
    assert [(line.rank, line.bot, line.may_be_best) for line in lines] == [
        (1, "bob@1", True),
        (2, "cid@1", False),
        (3, "ann@1", None),
    ]
    assert lines[2].rating > lines[0].rating


def test_a_league_without_results_is_a_table_of_equals() -> None:
    found = table([])
    assert [line.bot for line in found.standings] == ["ann@1", "bob@1", "cid@1"]
    assert {line.rating for line in found.standings} == {25.0}
    assert {(line.matches, line.mean_decision_ms) for line in found.standings} == {(0, None)}
    assert found.separated == (False, False)
    assert found.matches.played == 0


def test_equal_places_are_a_draw() -> None:
    drawn = result(plan(LEAGUE)[0], (1, 1))
    assert {line.bot: line.draws for line in table([drawn]).standings} == {"ann@1": 1, "bob@1": 1, "cid@1": 0}


def test_a_draw_tells_less_where_draws_are_likely() -> None:
    drawn = [result(fixture, (1, 1)) for fixture in plan(LEAGUE)]
    seldom, often = (
        table_of(msgspec.structs.replace(LEAGUE, draw_probability=draws), drawn).standings[0].sigma
        for draws in (0.01, 0.5)
    )
    assert seldom < 0.95 * often


def test_a_fault_is_counted_for_the_offender_and_is_its_loss() -> None:
    lines = {line.bot: line for line in table([result(plan(LEAGUE)[0], (2, 1), fault=0)]).standings}
    ann, bob = lines["ann@1"], lines["bob@1"]
    assert (ann.faults, ann.losses, bob.faults, bob.wins) == (1, 1, 0, 1)
    assert ann.rating < bob.rating


def test_the_mean_time_of_a_decision_is_over_all_decisions() -> None:
    lines = {line.bot: line for line in table([by_name(fixture) for fixture in plan(LEAGUE)[:2]]).standings}
    assert lines["ann@1"].mean_decision_ms == pytest.approx((2 + 9) / (2 + 3))


def test_the_digest_is_of_the_results_that_count() -> None:
    results = [by_name(fixture) for fixture in plan(LEAGUE)]
    removed = result(Fixture("nim/of-2/ann@1+dan@1/deal-0/turn-0", "of-2", ("ann@1", "dan@1"), 0, 0), (1, 2))
    assert table(results).digest == table([*reversed(results), removed]).digest
    assert table(results).digest != table(results[1:]).digest


def test_matches_are_counted_by_kind() -> None:
    faults = [result(fixture, (2, 1), fault=0) for fixture in plan(LEAGUE) if fixture.entries[0] == "cid@1"][:5]
    found = table(faults, voids=4)
    counts = found.matches
    assert (counts.planned, counts.played, found.void, counts.abandoned) == (60, 5, 4, 0)
    assert counts.skipped > 0


SIDES = ((0, 2), (1,))
PAIRS = league(
    ("ann", "bob", "cid"),
    deals=10,
    tables=(TableSpec("duel", 2, {}), TableSpec("pairs", 3, {"line_up": "2v1"}, "teams", SIDES)),
)


def of_pairs(fixture: Fixture, winner: int, fault: int | None = None) -> StoredMatch:
    faults = () if fault is None else (FaultMark(fault, 1, FaultKind.CRASH),)
    places = tuple(1 if seat in SIDES[winner] else 2 for seat in range(3))
    outcome = Outcome(FAULT if faults else "won", places, (Side("A", SIDES[0]), Side("B", SIDES[1])))
    return StoredMatch(fixture.id, fixture.id, fixture.entries, outcome, faults, (1, 2, 3), (1_000, 4_000, 6_000), 0)


def fixtures_at(here: League, table: str) -> list[Fixture]:
    return [fixture for fixture in plan(here) if fixture.table == table]


def test_a_team_s_match_counts_once_for_the_bot_that_holds_it() -> None:
    fixtures = fixtures_at(PAIRS, "pairs")
    lines = {line.bot: line for line in table_of(PAIRS, [of_pairs(fixture, 0) for fixture in fixtures]).standings}
    for line in lines.values():
        assert (line.matches, line.wins, line.losses) == (40, 20, 20)
        assert line.mean_decision_ms == pytest.approx((1 + 6 + 4) / (1 + 3 + 2))


def test_faults_of_both_seats_of_a_team_are_one_fault() -> None:
    fixture = fixtures_at(PAIRS, "pairs")[0]
    one = of_pairs(fixture, 1, fault=0)
    both = msgspec.structs.replace(one, faults=(*one.faults, FaultMark(2, 1, FaultKind.CRASH)))
    assert {line.bot: line.faults for line in table_of(PAIRS, [both]).standings} == {"ann@1": 1, "bob@1": 0, "cid@1": 0}


def test_the_share_of_each_side_is_told_where_sides_differ_and_leaves_out_faults() -> None:
    pairs, duels = fixtures_at(PAIRS, "pairs"), fixtures_at(PAIRS, "duel")
    results = [of_pairs(fixture, int(at >= 6)) for at, fixture in enumerate(pairs[:20])]
    results += [of_pairs(fixture, 0, fault=1) for fixture in pairs[20:22]]
    results += [result(fixture, (1, 2)) for fixture in duels]
    assert table_of(PAIRS, results).sides == (
        SideRecord("pairs", "A", 20, 6, 0.3, 0, 0.3),
        SideRecord("pairs", "B", 20, 14, 0.7, 0, 0.7),
    )


def test_sides_of_equal_size_are_told_only_where_they_are_dealt() -> None:
    sides = (Side("A", (0,)), Side("B", (1,)))
    dealt, fixed = (league(("ann", "bob"), tables=(TableSpec("duel", 2, {}, sides=of),)) for of in ((), ((0,), (1,))))
    for here, told in ((dealt, ("A", "B")), (fixed, ())):
        fixture = plan(here)[0]
        duel = msgspec.structs.replace(result(fixture, (1, 2)), outcome=Outcome("won", (1, 2), sides))
        assert tuple(record.side for record in table_of(here, [duel]).sides) == told


COPIES = league(("ann", "bob"), deals=5, tables=(TableSpec("many", 4, {}, "copies"),))
ROLES = (Side("agents", (0, 1, 3)), Side("insider", (2,)))


def of_copies(fixture: Fixture, winners: tuple[int, ...], fault: int | None = None) -> StoredMatch:
    faults = () if fault is None else (FaultMark(fault, 1, FaultKind.CRASH),)
    places = tuple(1 if seat in winners else 4 for seat in range(4))
    outcome = Outcome(FAULT if faults else "won", places, () if faults else ROLES)
    return StoredMatch(fixture.id, fixture.id, fixture.entries, outcome, faults, (1,) * 4, (1_000,) * 4, 0)


def line_up(*bots: str) -> Fixture:
    return next(fixture for fixture in plan(COPIES) if fixture.entries == tuple(f"{bot}@1" for bot in bots))


def test_a_bot_with_seats_of_several_sides_counts_the_match_once_for_each() -> None:
    found = table_of(COPIES, [of_copies(line_up("ann", "ann", "ann", "bob"), (2,))])
    lines = {line.bot: line for line in found.standings}
    assert [(line.matches, line.wins, line.losses) for line in (lines["ann@1"], lines["bob@1"])] == [
        (2, 1, 1),
        (1, 0, 1),
    ]
    assert lines["ann@1"].sides == (
        SideRecord("many", "agents", 1, 0, 0.0, 0, 0.0),
        SideRecord("many", "insider", 1, 1, 1.0, 0, 1.0),
    )
    assert lines["bob@1"].sides == (SideRecord("many", "agents", 1, 0, 0.0, 0, 0.0),)
    assert found.sides == (
        SideRecord("many", "agents", 1, 0, 0.0, 0, 0.0),
        SideRecord("many", "insider", 1, 1, 1.0, 0, 1.0),
    )


def test_a_fault_among_copies_is_one_loss_and_no_win_of_the_offender() -> None:
    found = table_of(COPIES, [of_copies(line_up("ann", "ann", "ann", "bob"), (0, 2, 3), fault=1)])
    lines = {line.bot: line for line in found.standings}
    assert [(line.matches, line.wins, line.losses, line.faults) for line in (lines["ann@1"], lines["bob@1"])] == [
        (1, 0, 1, 1),
        (1, 1, 0, 0),
    ]
    assert lines["ann@1"].rating < lines["bob@1"].rating
    assert lines["ann@1"].sides == ()


def test_pseudo_players_are_not_in_the_table() -> None:
    found = table_of(PAIRS, [of_pairs(fixture, 1) for fixture in fixtures_at(PAIRS, "pairs")])
    assert {line.bot for line in found.standings} == {"ann@1", "bob@1", "cid@1"}
    assert sum(line.rating for line in found.standings) / 3 == pytest.approx(25)
    # The seat that was alone always won: this is due to the side, not to any bot's skill.
    assert [line.rating for line in found.standings] == pytest.approx([25.0] * 3, abs=1e-4)


# How sure the order is


def test_the_organizer_s_line_and_the_public_one_share_the_placement_and_four_figures_that_differ() -> None:
    place, own, public = (set(kind.__struct_fields__) for kind in (Placement, Standing, StandingView))
    assert (own & public) - place == {"costs", "mean_decision_ms", "mean_return"}


def test_a_league_with_matches_left_is_interim() -> None:
    results = [by_name(fixture) for fixture in plan(LEAGUE)]
    assert table(results[:-1]).interim
    assert not table(results).interim


def test_whoever_wins_always_is_first_for_sure_and_nobody_else_is_as_good() -> None:
    lines = table([by_name(fixture) for fixture in plan(LEAGUE)]).standings
    assert [line.first for line in lines] == [1.0, 0.0, 0.0]
    assert [line.ranks for line in lines] == [(1, 1), (2, 2), (3, 3)]
    assert [line.may_be_best for line in lines] == [True, False, False]


def test_one_number_describes_who_wins_always_but_not_a_cycle_in_which_all_are_as_good_as_the_best_mix() -> None:
    ladder = table([by_name(fixture) for fixture in plan(LEAGUE)])
    assert ladder.fit is not None
    assert not ladder.fit.is_bad
    assert {line.best_mix for line in ladder.standings} == {None}
    beats = {("ann@1", "bob@1"), ("bob@1", "cid@1"), ("cid@1", "ann@1")}
    cycle = table([result(of, (1, 2) if of.entries in beats else (2, 1)) for of in plan(LEAGUE)])
    assert cycle.fit is not None
    assert cycle.fit.is_bad
    assert cycle.fit.difference == pytest.approx(0.5, abs=0.01)
    for line in cycle.standings:
        assert line.best_mix is not None
        assert line.best_mix.share == pytest.approx(0.5)
        assert line.best_mix.worst == 0


def test_a_league_with_fewer_than_six_whole_deals_is_not_tested() -> None:
    assert table([by_name(fixture) for fixture in plan(LEAGUE)][:20]).fit is None


def of_tables(weight: float) -> Standings:
    """At one table the alphabet decides, at the other one, which weighs so much, the alphabet backwards."""
    tables = tuple(TableSpec(name, 2, {"mode": "plain"}, weight=each) for name, each in (("a", 1.0), ("b", weight)))
    of = league(("ann", "bob", "cid"), deals=10, tables=tables)

    def won(fixture: Fixture) -> StoredMatch:
        best = (min if fixture.table == "a" else max)(fixture.entries)
        return result(fixture, (1, 2) if fixture.entries[0] == best else (2, 1))

    return table_of(of, [won(fixture) for fixture in plan(of)], 0)


def test_over_several_tables_the_shares_to_expect_count_as_much_as_tables_weigh() -> None:
    even = {line.bot: line.overall for line in of_tables(1.0).standings}
    for share in even.values():
        assert share is not None
        assert share.tables == 2
        assert share.share == pytest.approx(0.5, abs=0.01)
        assert share.interval is not None
        assert share.interval[0] < 0.5 < share.interval[1]
    heavy = {line.bot: (line.overall and line.overall.share) or 0 for line in of_tables(9.0).standings}
    assert heavy["cid@1"] > 0.7
    assert heavy["bob@1"] == pytest.approx(0.5, abs=0.01)
    assert heavy["ann@1"] < 0.3


def test_matches_that_are_left_out_for_their_author_are_counted() -> None:
    results = [by_name(fixture) for fixture in plan(LEAGUE)]
    assert table(results).same_author == 0
    own = msgspec.structs.replace(LEAGUE, authors={"ann@1": "yan", "bob@1": "yan"})
    assert table_of(own, results, 0).same_author == 20


def test_a_league_of_one_table_has_no_shares_over_several() -> None:
    assert {line.overall for line in table([by_name(fixture) for fixture in plan(LEAGUE)]).standings} == {None}


def test_equals_share_the_ranks_and_each_may_be_the_best() -> None:
    results = [result(fixture, (1, 2) if fixture.deal % 2 else (2, 1)) for fixture in plan(LEAGUE)]
    lines = table(results).standings
    assert {line.ranks for line in lines} == {(1, 3)}
    assert sum(line.first or 0 for line in lines) == pytest.approx(1)
    assert all(line.may_be_best for line in lines)


def test_the_chance_to_beat_the_next_follows_from_the_ratings_and_the_last_has_none() -> None:
    ann, bob, cid = table([by_name(fixture) for fixture in plan(LEAGUE)]).standings
    gap = NormalDist(0, 2**0.5 * BETA)
    assert (ann.beats_next, bob.beats_next) == pytest.approx(
        (gap.cdf(ann.rating - bob.rating), gap.cdf(bob.rating - cid.rating))
    )
    assert cid.beats_next is None


# Bots that never met

SPLIT = league(("ann", "bob", "cid", "dan", "eve"), deals=10)
GROUPS = (frozenset({"ann@1", "bob@1"}), frozenset({"cid@1", "dan@1", "eve@1"}))


def split() -> Standings:
    """Ann and bob played each other, and so did the other three."""
    met = (fixture for fixture in plan(SPLIT) if any(group.issuperset(fixture.entries) for group in GROUPS))
    return table_of(SPLIT, [by_name(fixture) for fixture in met])


def test_bots_that_never_met_are_rated_apart_and_the_largest_group_comes_first() -> None:
    found = split()
    assert found.groups == (("cid@1", "dan@1", "eve@1"), ("ann@1", "bob@1"))
    assert [(line.bot, line.group, line.rank) for line in found.standings] == [
        ("cid@1", 1, 1),
        ("dan@1", 1, 2),
        ("eve@1", 1, 3),
        ("ann@1", 2, 1),
        ("bob@1", 2, 2),
    ]
    for group in found.groups:
        own = [line.rating for line in found.standings if line.bot in group]
        assert sum(own) / len(own) == pytest.approx(25)


def test_nothing_is_said_across_groups() -> None:
    found = split()
    assert found.separated == (True, True, False, True)
    assert [line.first for line in found.standings] == [1.0, 0.0, 0.0, 1.0, 0.0]
    assert [line.ranks for line in found.standings] == [(1, 1), (2, 2), (3, 3), (1, 1), (2, 2)]
    assert [line.beats_next is None for line in found.standings] == [False, False, True, False, True]


MATCHES = [("a/deal-0", "aa"), ("a/deal-1", "bb")]


def test_the_digest_is_the_sha_256_of_one_line_a_match() -> None:
    assert league_digest(MATCHES) == sha256(b"a/deal-0 aa\na/deal-1 bb\n").hexdigest()


def test_the_digest_changes_with_a_match_an_id_the_order_and_the_number() -> None:
    others = [
        [MATCHES[0], ("a/deal-1", "cc")],
        [MATCHES[0], ("a/deal-2", "bb")],
        MATCHES[::-1],
        MATCHES[:1],
    ]
    digests = {league_digest(matches) for matches in [MATCHES, *others]}
    assert len(digests) == 5
