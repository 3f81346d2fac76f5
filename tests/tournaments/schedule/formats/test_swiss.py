from collections import Counter
from collections.abc import Callable, Mapping
from random import Random
from typing import NamedTuple

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.outcome import Side
from tests.tournaments.schedule.formats.swisses import Event, Result, bots, fixtures, meetings, played, table
from tournaments.league.format_settings import SwissSettings
from tournaments.league.model import Fixture, TableSpec
from tournaments.schedule.formats.issued_waves import IssuedWave, line_ups_of
from tournaments.schedule.formats.swiss import SwissRoundResult, SwissRounds, problems, usual_rounds

SEED = bytes(range(32))
A, B, C, D, E = "ann@1", "bob@1", "cid@1", "dan@1", "eve@1"


def pairs_of(rounds: int | None = None, seed: bytes = SEED) -> SwissRounds:
    return SwissRounds(SwissSettings(rounds), [table(2)], 1, seed)


class Drawn(NamedTuple):
    """A Swiss in which bots came and went, between rounds and in the middle of one.

    Attributes:
        size: how many bots meet at a table.
        event: what happened.
        again: what decided it, made anew with the tables in another order.
    """

    size: int
    event: Event
    again: SwissRounds


@st.composite
def histories(draw: st.DrawFn) -> Drawn:
    size = draw(st.integers(2, 4))
    sides = tuple((side, side + size) for side in range(size))
    tables = [TableSpec("sides", 2 * size, {}, "teams", sides), table(size)]
    rounds, deals, seed = (
        SwissSettings(draw(st.integers(1, 6))),
        draw(st.integers(1, 2)),
        bytes([draw(st.integers(0, 9))] * 32),
    )
    luck = Random(draw(st.integers(0, 10_000)))
    names = bots(draw(st.integers(1, 14)))
    event = Event(SwissRounds(rounds, tables, deals, seed), {name: luck.gauss(0, 1) for name in names})
    staying = draw(st.floats(0.5, 1))
    going_on = True
    while going_on:
        roster = [name for name in names if luck.random() < staying]
        gone = {name for name in roster if luck.random() > staying}
        going_on = event.next(roster, skips(gone, luck.randrange(2))) is not None
    return Drawn(size, event, SwissRounds(rounds, tables[::-1], deals, seed))


def skips(gone: set[str], turn: int = 0) -> Callable[[Fixture], bool]:
    """What is skipped if these leave in the middle of a round, before this turn of each group."""
    return lambda fixture: fixture.rotation >= turn and not gone.isdisjoint(fixture.entries)


@given(histories())
def test_nobody_plays_itself_or_twice_in_a_round_and_only_what_is_left_over_has_a_bye(drawn: Drawn) -> None:
    for issue in drawn.event.issues:
        groups = meetings(issue)
        assert {len(group) for group in groups} == {drawn.size}
        assert sorted([*(name for group in groups for name in group), *issue.byes]) == sorted(issue.roster)
        assert len(issue.byes) == len(issue.roster) % drawn.size


@given(histories())
def test_every_group_plays_new_deals_in_every_line_up_of_every_table(drawn: Drawn) -> None:
    line_ups = drawn.size + {2: 2, 3: 6, 4: 24}[drawn.size]  # turns of the seats, and permutations of the sides
    deals = [deal for issue in drawn.event.issues for deal in range(issue.first_deal, issue.first_deal + issue.deals)]
    assert len(deals) == len(set(deals))
    for issue in drawn.event.issues:
        assert len(issue.line_ups) == len(set(issue.line_ups)) == line_ups * len(meetings(issue))


@given(histories(), st.randoms(use_true_random=False))
def test_the_answers_are_the_same_for_shuffled_rosters_tables_and_results(drawn: Drawn, luck: Random) -> None:
    issues = drawn.event.issues
    results = luck.sample(drawn.event.results, len(drawn.event.results))
    for number, issue in enumerate(issues):
        roster = tuple(luck.sample(issue.roster, len(issue.roster)))
        decided = drawn.again.decide(issues[:number], roster, lambda: results)
        assert decided == msgspec.structs.replace(issue, roster=roster)
        assert drawn.again.standings(issues[:number], roster, lambda: results) == drawn.event.rounds.standings(
            issues[:number], issue.roster, drawn.event.counted
        )


@given(histories())
def test_the_table_has_everybody_and_its_points_are_those_of_the_rounds(drawn: Drawn) -> None:
    event = drawn.event
    found = event.rounds.standings(event.issues, bots(2), event.counted)
    assert sorted(each.entry for each in found) == sorted(
        {*bots(2), *(name for i in event.issues for name in i.roster)}
    )
    points = [round(each.points, 3) for each in found]  # as it decides: sums of thirds differ in their last digit
    assert points == sorted(points, reverse=True)
    for each in found:
        took_part = [outing for outing in each.rounds if outing]
        assert len(each.rounds) == len(event.issues)
        assert each.points == pytest.approx(sum(outing.points for outing in took_part))
        assert each.byes == sum(outing.bye for outing in took_part) == sum(not outing.opponents for outing in took_part)
        assert all(len(outing.opponents) == drawn.size - 1 for outing in took_part if not outing.bye)


def test_it_ends_after_its_rounds_whatever_happened() -> None:
    assert len(Event(pairs_of(4)).play(bots(7)).issues) == 4
    nothing_counts = Event(pairs_of(3))
    while nothing_counts.next(bots(4), lambda _: True):
        pass
    assert len(nothing_counts.issues) == 3
    assert len(Event(pairs_of()).play(bots(8)).issues) == usual_rounds(8, 2)


def test_the_bots_of_the_first_round_decide_how_many_rounds_are_usual() -> None:
    event = Event(pairs_of())
    event.next(bots(4))
    assert len(event.play(bots(40)).issues) == usual_rounds(4, 2)


def test_a_roster_that_fills_no_table_ends_it() -> None:
    assert pairs_of(3).decide([], bots(1), list) is None
    assert SwissRounds(SwissSettings(3), [table(4)], 1, SEED).decide([], bots(3), list) is None
    assert pairs_of().decide([], [], list) is None


@pytest.mark.parametrize(
    ("number", "size", "rounds"),
    [
        *[(1, 2, 0), (2, 2, 1), (3, 2, 3), (4, 2, 3), (5, 2, 5), (8, 2, 5), (9, 2, 6), (32, 2, 7), (500, 2, 11)],
        *[(4, 4, 1), (8, 4, 3), (16, 4, 4), (17, 4, 5), (32, 4, 5), (32, 5, 5)],
    ],
)
def test_as_many_rounds_as_separate_the_bots_and_two_more_but_none_after_all_could_have_met(
    number: int, size: int, rounds: int
) -> None:
    assert usual_rounds(number, size) == rounds


def test_rounds_are_counted_from_one() -> None:
    assert msgspec.convert({}, SwissSettings) == SwissSettings(None)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"rounds": 0}, SwissSettings)


def test_nobody_meets_anybody_again_before_all_have_met() -> None:
    names = bots(8)
    event = Event(pairs_of(7), {name: float(at) for at, name in enumerate(names)}).play(names)
    met = Counter(pair for issue in event.issues[:5] for pair in meetings(issue))
    assert set(met.values()) == {1}


def test_those_who_win_meet_those_who_win() -> None:
    names = bots(16)
    event = Event(pairs_of(2))
    first = event.next(names)
    assert first is not None
    results = always_won(first, {name: at for at, name in enumerate(names)})
    second = event.rounds.decide([first], names, lambda: results)
    assert second is not None
    won = {each.entry for each in event.rounds.standings([first], names, lambda: results) if each.points == 1.0}
    assert {len(won & set(pair)) for pair in meetings(second)} == {0, 2}


def always_won(issue: IssuedWave, strength: Mapping[str, int]) -> list[Result]:
    """The results of a round in which the stronger bot always comes first."""
    return [
        played(each, [1 + sum(strength[other] > strength[name] for other in each.entries) for name in each.entries])
        for each in fixtures(issue)
    ]


def test_the_seed_decides_the_first_round() -> None:
    assert len({pairs_of(seed=bytes([seed] * 32)).decide([], bots(6), list) for seed in range(8)}) > 4


def test_luck_is_new_in_every_round() -> None:
    rounds = pairs_of(2)
    first = rounds.decide([], bots(12), list)
    second = rounds.decide([IssuedWave(tuple(bots(12)), (), 0, 1)], bots(12), list)  # nobody has a point yet
    assert first is not None
    assert second is not None
    assert set(meetings(first)) != set(meetings(second))


def issue_of(*groups: tuple[str, ...], first_deal: int = 0, deals: int = 1, byes: tuple[str, ...] = ()) -> IssuedWave:
    """A round in which these groups meet at a plain table."""
    roster = tuple(sorted([*byes, *(name for group in groups for name in group)]))
    line_ups = tuple(line_ups_of([table(len(groups[0]))], groups))
    return IssuedWave(roster, line_ups, first_deal, deals, byes)


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_nobody_has_a_second_bye_before_everybody_had_one(size: int) -> None:
    names = bots(2 * size - 1)
    event = Event(SwissRounds(SwissSettings(12), [table(size)], 1, SEED))
    byes = Counter(dict.fromkeys(names, 0))
    while issue := event.next(names):
        byes.update(issue.byes)
        assert max(byes.values()) - min(byes.values()) <= 1


def test_the_lowest_score_of_those_without_a_bye_has_the_bye() -> None:
    first = issue_of((A, B), (C, D), byes=(E,))
    results = always_won(first, {A: 1, B: 0, C: 1, D: 0})
    second = pairs_of(3).decide([first], [A, B, C, D, E], lambda: results)
    assert second is not None
    assert second.byes in {(B,), (D,)}


def test_points_are_the_mean_share_of_the_matches_that_count() -> None:
    issue = issue_of((A, B), deals=2)
    won, lost, drawn, _ = fixtures(issue)
    results = [
        played(won, [1, 2]),
        played(lost, [1, 2]),  # seated the other way round
        played(drawn, [1, 1]),
    ]
    (first, second) = pairs_of().standings([issue], [A, B], lambda: [*results, played(won, [1, 2])])
    assert (first.entry, first.points, second.points) == (A, 2.5 / 4, 1.5 / 4)


def test_points_of_a_team_are_those_of_its_side() -> None:
    sides = (Side("even", (0, 2)), Side("odd", (1, 3)))
    spec = TableSpec("sides", 4, {}, "teams", tuple(side.seats for side in sides))
    issue = IssuedWave((A, B), tuple(line_ups_of([spec], [(A, B)])), 0, 1)
    results = [played(fixtures(issue)[0], [2, 1, 2, 1], sides)]
    found = SwissRounds(SwissSettings(), [spec], 1, SEED).standings([issue], [A, B], lambda: results)
    assert [(each.entry, each.rounds) for each in found] == [
        (B, (SwissRoundResult((A,), 1.0),)),
        (A, (SwissRoundResult((B,), 0.0),)),
    ]


def test_if_nothing_of_a_pair_counted_who_is_still_there_has_a_bye_and_they_have_not_met() -> None:
    first = issue_of((A, B), (C, D))
    results = always_won(issue_of((C, D)), {C: 1, D: 0})
    later = issue_of((A, C), first_deal=1)
    rounds = pairs_of(3)
    gone = [{B, D}]
    found = {each.entry: each for each in rounds.standings([first, later], [], lambda: results, gone)}
    assert found[A].rounds == (SwissRoundResult((), 0.5, bye=True), SwissRoundResult((), 0.5, bye=True))
    assert found[B].rounds == (None, None)
    assert found[D].rounds == (SwissRoundResult((C,), 0.0), None)
    abandoned = rounds.standings([first], [A, B, C, D], lambda: results)
    assert {each.entry for each in abandoned if each.byes} == {A, B}
    both_left = rounds.standings([first], [], lambda: results, [{A, B}])
    assert not any(each.byes for each in both_left)


def test_those_who_did_not_play_each_other_can_meet_in_the_next_round() -> None:
    first = issue_of((A, B))
    second = pairs_of(2).decide([first], [A, B, C, D], list)
    assert second is not None
    assert (A, B) in meetings(second)  # they have half a point each, the others none


def test_what_counts_of_a_pair_that_was_cut_short_stays_with_both() -> None:
    event = Event(pairs_of(2), {A: 9.0})
    event.next([A, B], skips({B}, turn=1))
    (left, right) = event.rounds.standings(event.issues, [], event.counted, [{B}])
    assert (left.entry, left.points, right.points, left.byes) == (A, 1.0, 0.0, 0)


def test_a_bye_is_worth_the_mean_of_the_rounds_that_the_bot_plays_before_and_after_it() -> None:
    first = issue_of((A, B), (C, D), byes=(E,))
    second = issue_of((A, C), (D, E), first_deal=1, byes=(B,))
    third = issue_of((A, E), (B, C), first_deal=2, byes=(D,))
    strength = {A: 4, C: 3, D: 2, E: 1, B: 0}
    results = [result for issue in (first, second, third) for result in always_won(issue, strength)]
    swap = next(at for at, (fixture, _) in enumerate(results) if fixture.deal == 1 and E in fixture.entries)
    results[swap] = played(results[swap][0], [1, 1])
    found = {each.entry: each for each in pairs_of(3).standings([first, second, third], bots(0), lambda: results)}
    assert [each and each.points for each in found[E].rounds] == [0.125, 0.25, 0.0]
    assert [each and each.points for each in found[D].rounds] == [0.0, 0.75, 0.375]
    assert [each and each.points for each in found[B].rounds] == [0.0, 0.0, 0.0]


def test_a_bye_is_worth_half_a_point_until_the_bot_plays() -> None:
    first = issue_of((A, B), byes=(C,))
    (_, second, _) = pairs_of(3).standings([first], [A, B, C], lambda: always_won(first, {A: 1, B: 0}))
    assert (second.entry, second.points) == (C, 0.5)


@given(histories(), st.randoms(use_true_random=False))
def test_no_bot_stands_higher_in_the_table_for_having_come_last_in_a_match(drawn: Drawn, luck: Random) -> None:
    event = drawn.event
    if not event.results:
        return
    at = luck.randrange(len(event.results))
    fixture, match = event.results[at]
    loser = luck.choice(fixture.entries)
    last = [(name == loser, place) for name, place in zip(fixture.entries, match.outcome.places, strict=True)]
    lost = [*event.results]
    lost[at] = played(fixture, [1 + sorted(last).index(each) for each in last])
    roster = [name for issue in event.issues for name in issue.roster]
    before = [each.entry for each in event.rounds.standings(event.issues, roster, event.counted)]
    after = [each.entry for each in event.rounds.standings(event.issues, roster, lambda: lost)]
    assert before.index(loser) <= after.index(loser)


def test_a_bye_at_a_larger_table_is_worth_what_the_others_got_on_average() -> None:
    issue = issue_of((A, B, C), byes=(D,))
    sides = (Side("two", (0, 1)), Side("one", (2,)))
    results = [played(each, [1, 1, 2], sides) for each in fixtures(issue)]
    rounds = SwissRounds(SwissSettings(), [table(3)], 1, SEED)
    found = {each.entry: each.points for each in rounds.standings([issue], [A, B, C, D], lambda: results)}
    assert found == pytest.approx({A: 2 / 3, B: 2 / 3, C: 2 / 3, D: 2 / 3})
    nothing = rounds.standings([issue], [A, B, C, D], list)
    assert {each.points for each in nothing} == {0.5}


def test_a_bot_that_enters_late_begins_with_nothing_and_one_that_left_is_not_paired() -> None:
    event = Event(pairs_of(3), {name: float(at) for at, name in enumerate(bots(4))})
    event.next(bots(4))
    second = event.next([*bots(3), E])
    assert second is not None
    assert sorted(name for pair in meetings(second) for name in pair) == sorted([*bots(3), E])
    late = next(each for each in event.rounds.standings(event.issues[:1], [E], event.counted) if each.entry == E)
    assert (late.points, late.buchholz, late.byes, late.rounds) == (0.0, 0.0, 0, (None,))


def test_buchholz_is_the_sum_of_the_opponents_points_and_a_bye_counts_like_oneself() -> None:
    issues = [issue_of((A, B), byes=(C,)), issue_of((A, C), first_deal=1, byes=(B,))]
    results = [each for issue in issues for each in always_won(issue, {C: 2, A: 1, B: 0})]
    found = {each.entry: each for each in pairs_of().standings(issues, [A, B, C], lambda: results)}
    assert {name: each.points for name, each in found.items()} == {A: 1.0, B: 0.0, C: 2.0}
    assert {name: each.buchholz for name, each in found.items()} == {A: 0.0 + 2.0, B: 1.0 + 0.0, C: 1.0 + 2.0}


def test_opponents_that_met_twice_count_twice_and_a_bye_at_a_larger_table_like_all_its_opponents() -> None:
    issues = [issue_of((A, B, C), byes=(D,)), issue_of((A, B, C), first_deal=1, byes=(D,))]
    results = [each for issue in issues for each in always_won(issue, {A: 2, B: 1, C: 0})]
    rounds = SwissRounds(SwissSettings(), [table(3)], 1, SEED)
    found = {each.entry: each for each in rounds.standings(issues, [A, B, C, D], lambda: results)}
    assert {name: each.points for name, each in found.items()} == {A: 2.0, B: 1.0, C: 0.0, D: 1.0}
    assert {name: each.buchholz for name, each in found.items()} == {A: 2.0, B: 4.0, C: 6.0, D: 4.0}


@pytest.mark.parametrize("seed", range(6))
def test_buchholz_orders_those_with_equal_points(seed: int) -> None:
    issues = [issue_of((A, B), (C, D)), issue_of((A, D), (B, C), first_deal=1)]
    results = [each for issue in issues for each in always_won(issue, {A: 3, B: 2, C: 1, D: 0})]
    found = pairs_of(seed=bytes([seed] * 32)).standings(issues, [], lambda: results)
    assert [(each.entry, each.points, each.buchholz) for each in found] == [(A, 2, 1), (B, 1, 3), (C, 1, 1), (D, 0, 3)]


def test_the_seed_orders_those_that_are_equal_in_everything() -> None:
    found = {pairs_of(seed=bytes([seed] * 32)).standings([], [A, B], list)[0].entry for seed in range(8)}
    assert found == {A, B}


def test_the_table_of_some_rounds_knows_nothing_of_later_ones() -> None:
    first, second = issue_of((A, B)), issue_of((A, B), first_deal=1)
    results = [*always_won(first, {A: 1, B: 0}), *always_won(second, {A: 0, B: 1})]
    found = {each.entry: each.points for each in pairs_of().standings([first], [A, B], lambda: results)}
    assert found == {A: 1.0, B: 0.0}


def test_tables_that_do_not_fit_are_named_with_the_reason() -> None:
    copies = TableSpec("mixed", 4, {}, "copies", ((0, 2), (1, 3)))
    cooperative = TableSpec("together", 3, {}, "distinct", ((0, 1, 2),))
    assert problems([table(2), TableSpec("sides", 4, {}, "teams", ((0, 2), (1, 3)))]) == []
    assert problems([copies]) == ["table 'mixed' has seating = 'copies'; a Swiss allows: 'distinct', 'teams'"]
    (alone,) = problems([cooperative])
    assert alone.startswith("at table 'together' nobody plays against anybody")
    assert problems([TableSpec("solitaire", 1, {})])[0].startswith("at table 'solitaire' nobody")
    (sizes,) = problems([table(2, "duel"), table(4, "four")])
    assert "'duel' by 2, 'four' by 4" in sizes
