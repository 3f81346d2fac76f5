from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.schedule.formats.knockouts import (
    Event,
    Result,
    all_equal,
    by_luck,
    by_number,
    luck,
    names,
    played,
    table,
)
from tournaments.league.format_settings import KnockoutSettings
from tournaments.league.model import Fixture, TableSpec
from tournaments.schedule.formats.knockout import problems
from tournaments.schedule.formats.knockout_bracket import Bracket, BracketGroup
from tournaments.schedule.formats.knockout_rounds import dealt, going_on, layout, slots


def bracket(event: Event, *, playing: bool = False) -> Bracket:
    return event.rounds.bracket(event.issues, event.roster, event.counted, event.gone, playing=playing)


def numbers(groups: Sequence[set[str]]) -> list[list[int]]:
    return [sorted(int(name[3:].partition("@")[0]) for name in group) for group in groups]


def on(group: BracketGroup) -> list[str]:
    return [one.name for one in group.contestants if one.on]


# Who meets


def test_eight_meet_as_in_any_bracket_and_the_best_two_in_the_final() -> None:
    event = Event(names(8)).play()
    assert numbers(event.groups(0)) == [[1, 8], [2, 7], [3, 6], [4, 5]]
    assert numbers(event.groups(1)) == [[1, 4], [2, 3]]
    assert numbers(event.groups(2)) == [[1, 2]]
    assert bracket(event).champion == "bot1@1"


def test_who_beats_a_higher_seed_takes_its_way() -> None:
    event = Event(names(8)).play(lambda fixture: [3 - place for place in by_number(fixture)])
    assert [numbers(event.groups(wave)) for wave in (1, 2)] == [[[5, 8], [6, 7]], [[7, 8]]]


def test_the_highest_seeds_have_byes_in_the_first_round_only() -> None:
    event = Event(names(13)).play()
    assert [issue.byes for issue in event.issues] == [("bot1@1", "bot2@1", "bot3@1"), (), (), ()]
    assert numbers(event.groups(0)) == [[4, 13], [5, 12], [6, 11], [7, 10], [8, 9]]
    assert numbers(event.groups(1)) == [[1, 8], [2, 7], [3, 6], [4, 5]]


def test_groups_of_four_are_dealt_like_a_snake_and_old_groups_are_mixed() -> None:
    event = Event(names(16), 4).play()
    assert numbers(event.groups(0)) == [[1, 8, 9, 16], [2, 7, 10, 15], [3, 6, 11, 14], [4, 5, 12, 13]]
    assert numbers(event.groups(1)) == [[1, 4, 6, 7], [2, 3, 5, 8]]  # not 5 with 4, nor 8 with 1
    assert numbers(event.groups(2)) == [[1, 2, 3, 4]]


def test_the_seeds_of_the_file_come_first_then_the_order_of_the_roster() -> None:
    roster = ["ann@1", "bob@1", "cid@2", "cid@1"]
    event = Event(roster, settings=KnockoutSettings(seeds=("bob@1", "cid")))
    event.next()
    assert [set(group) for group in event.groups()] == [{"bob@1", "ann@1"}, {"cid@2", "cid@1"}]


def test_a_pairing_plays_all_its_deals_at_every_table_in_every_line_up() -> None:
    event = Event(names(4), deals=3, tables=2)
    fixtures = event.next() or []
    assert len(fixtures) == 2 * 2 * 2 * 3
    assert {fixture.deal for fixture in fixtures} == {0, 1, 2}
    event.play()
    assert (event.issues[1].first_deal, event.issues[1].deals) == (3, 3)


@pytest.mark.parametrize(("seats", "advance"), [(2, 1), (3, 1), (3, 2), (4, 1), (4, 2), (4, 3), (5, 1), (5, 2), (5, 4)])
def test_the_rounds_fit_for_any_number_of_bots(seats: int, advance: int) -> None:
    for players in range(seats + 1, 130):
        byes, groups = layout(players, seats, advance)
        advances = going_on(players, groups, seats, advance)
        assert groups >= 1
        assert byes + groups * seats == players
        assert all(1 <= number < seats for number in advances)
        assert list(advances) == sorted(advances, reverse=True)
        assert advances[0] - advances[-1] <= 1
        assert sorted(slot for group in slots(byes, groups, seats) for slot in group) == list(range(byes, players))
        assert seats <= byes + sum(advances) < players
    assert (layout(seats, seats, advance), going_on(seats, 1, seats, advance)) == ((0, 1), (1,))


def test_a_round_stays_as_it_is_if_the_file_is_changed() -> None:
    """It was issued with four groups of which two go on; with three there would be three groups."""
    assert layout(16, 4, 2).groups == 4
    assert layout(16, 4, 3).groups == 3
    assert going_on(16, 4, 4, 3) == (3, 3, 3, 3)


@pytest.mark.parametrize(
    ("seats", "advance", "players", "rounds"),
    [(2, 1, 2, 1), (2, 1, 3, 2), (2, 1, 8, 3), (2, 1, 9, 4), (2, 1, 64, 6), (4, 2, 4, 1), (4, 2, 8, 2), (4, 2, 9, 3),
     (4, 2, 15, 3), (4, 2, 16, 3), (4, 2, 17, 4), (3, 1, 9, 2), (3, 1, 27, 3), (5, 2, 11, 2), (5, 2, 12, 3)],
)  # fmt: skip
def test_there_are_as_many_rounds_as_it_takes(seats: int, advance: int, players: int, rounds: int) -> None:
    event = Event(names(players), seats, settings=KnockoutSettings(advance=advance)).play()
    assert len(event.issues) == rounds


def test_bots_out_of_one_group_are_kept_apart_only_by_exchanging_neighbours() -> None:
    former = {"a": 0, "b": 1, "c": 1, "d": 0, "e": 2, "f": 3}
    assert dealt("abcdef", former, 0, 2) == [["a", "c", "e"], ["b", "d", "f"]]
    assert dealt("abdcef", former, 0, 2) == [["a", "c", "e"], ["b", "d", "f"]]


# Who goes on


def test_half_of_a_group_goes_on_and_of_the_last_one_bot() -> None:
    event = Event(names(8), 4).play()
    assert numbers(event.groups(1)) == [[1, 2, 3, 4]]
    assert [each.advance for round_ in bracket(event).rounds for each in round_.groups] == [2, 2, 1]


def test_those_who_are_equal_play_further_deals_in_one_wave() -> None:
    def equal_at_first(fixture: Fixture) -> list[int]:
        return by_number(fixture) if fixture.deal >= 2 or "bot1@1" in fixture.entries else [1, 1]

    event = Event(names(8), deals=2).play(equal_at_first)
    assert numbers(event.groups(1)) == [[2, 7], [3, 6], [4, 5]]
    assert [issue.first_deal for issue in event.issues] == [0, 2, 4, 6]
    assert [each.why for each in bracket(event).rounds[0].groups] == ["score", "further", "further", "further"]
    assert bracket(event).rounds[0].groups[1].contestants[0].scores == (0.5, 1.0)


@pytest.mark.parametrize("further", [0, 1, 3])
def test_after_so_many_further_waves_the_higher_seed_goes_on(further: int) -> None:
    event = Event(names(4), settings=KnockoutSettings(further=further)).play(all_equal)
    assert len(event.issues) == 2 * (1 + further)
    assert bracket(event).champion == "bot1@1"
    assert {each.why for round_ in bracket(event).rounds for each in round_.groups} == {"seed"}


def test_further_deals_change_nothing_for_those_who_were_ahead_or_behind() -> None:
    places = [
        {"bot1@1": 1, "bot4@1": 2, "bot5@1": 2, "bot8@1": 4},
        {"bot8@1": 1, "bot5@1": 2, "bot4@1": 3, "bot1@1": 4},
    ]

    def scripted(fixture: Fixture) -> list[int]:
        if "bot1@1" not in fixture.entries or fixture.deal > 1:
            return by_number(fixture)
        return [places[fixture.deal][name] for name in fixture.entries]

    event = Event(names(8), 4).play(scripted)
    assert [numbers(event.groups(wave)) for wave in (1, 2)] == [[[1, 4, 5, 8]], [[1, 2, 3, 5]]]
    group = bracket(event).rounds[0].groups[0]
    assert (on(group), group.why) == (["bot1@1", "bot5@1"], "further")


def test_equal_bots_go_on_together_without_further_deals_if_both_may() -> None:
    def first_two_equal(fixture: Fixture) -> list[int]:
        return [1 if place <= 2 else place for place in by_number(fixture)]

    event = Event(names(8), 4).play(first_two_equal)
    assert numbers(event.groups(1)) == [[1, 2, 3, 4]]


# Who leaves


def test_the_opponent_of_a_bot_that_left_goes_on_though_it_was_behind() -> None:
    event = Event(names(4))
    event.results += [played(fixture, by_number(fixture)) for fixture in event.next() or []]
    event.leave("bot1@1")
    event.play()
    assert numbers(event.groups(1)) == [[2, 4]]
    first = bracket(event).rounds[0].groups[0]
    assert (on(first), first.why) == (["bot4@1"], "walk-over")
    assert [one.name for one in first.contestants] == ["bot4@1", "bot1@1"]


def test_the_opponent_of_a_bot_that_left_after_the_round_stays_out() -> None:
    event = Event(names(8))
    event.results += [played(fixture, by_number(fixture)) for fixture in event.next() or []]
    before = bracket(event).rounds
    event.roster.remove("bot1@1")
    assert bracket(event).rounds == before
    event.next()
    assert (numbers(event.groups()), event.issues[1].byes) == ([[3, 4]], ("bot2@1",))
    assert bracket(event, playing=True).rounds[:1] == before


def test_no_further_deals_are_played_against_a_bot_that_left() -> None:
    event = Event(names(4))
    event.results += [played(fixture, all_equal(fixture)) for fixture in event.next() or []]
    event.leave("bot2@1")
    event.next()
    assert numbers(event.groups()) == [[1, 4]]


def test_no_further_deals_are_played_against_a_bot_that_left_before_they_began_and_its_opponent_goes_on() -> None:
    event = Event(names(4))
    event.results += [played(fixture, all_equal(fixture)) for fixture in event.next() or []]
    event.roster.remove("bot1@1")
    event.results += [played(fixture, by_number(fixture)) for fixture in event.next() or []]
    assert numbers(event.groups()) == [[2, 3]]
    event.play()
    assert numbers(event.groups()) == [[2, 4]]
    first = bracket(event).rounds[0].groups[0]
    assert (on(first), first.why) == (["bot4@1"], "walk-over")


def test_a_pairing_that_was_equal_and_lost_a_bot_is_a_walk_over_also_if_it_was_the_only_one() -> None:
    event = Event(names(3))
    event.results += [played(fixture, all_equal(fixture)) for fixture in event.next() or []]
    event.roster.remove("bot2@1")
    before = bracket(event).rounds
    event.next()
    assert numbers(event.groups()) == [[1, 3]]
    assert bracket(event, playing=True).rounds[:1] == before
    assert (on(before[0].groups[0]), before[0].groups[0].why) == (["bot3@1"], "walk-over")


def test_a_group_of_which_a_bot_left_plays_no_further_deals() -> None:
    event = Event(names(8), 4)
    event.results += [played(fixture, all_equal(fixture)) for fixture in event.next() or []]
    event.leave("bot4@1")
    event.next()
    assert numbers(event.groups()) == [[2, 3, 6, 7]]


def test_who_comes_back_gets_no_further_deals() -> None:
    event = Event(names(4))
    event.results += [played(fixture, all_equal(fixture)) for fixture in event.next() or []]
    event.leave("bot4@1")
    event.results += [played(fixture, all_equal(fixture)) for fixture in event.next() or []]
    event.roster.append("bot4@1")
    event.next()
    assert [numbers(event.groups(wave)) for wave in (1, 2)] == [[[2, 3]], [[2, 3]]]


def test_who_leaves_during_a_bye_is_not_in_the_next_round() -> None:
    event = Event(names(5))
    event.results += [played(fixture, by_number(fixture)) for fixture in event.next() or []]
    event.leave("bot1@1")
    event.next()
    assert (numbers(event.groups()), event.issues[1].byes) == ([[3, 4]], ("bot2@1",))


def test_a_pairing_of_which_nothing_counts_is_played_on_new_deals_if_both_are_there() -> None:
    event = Event(names(4))
    event.results += [
        played(fixture, by_number(fixture)) for fixture in event.next() or [] if "bot1@1" in fixture.entries
    ]
    event.next()
    assert numbers(event.groups()) == [[2, 3]]
    assert (event.issues[1].first_deal, event.issues[1].byes) == (1, ())


def test_if_too_few_are_left_for_a_table_the_highest_seed_of_them_wins() -> None:
    event = Event(names(8), 4)
    event.results += [played(fixture, by_number(fixture)) for fixture in event.next() or []]
    for name in ("bot1@1", "bot4@1", "bot5@1", "bot3@1"):
        event.leave(name)
    assert event.next() is None
    found = bracket(event)
    assert (found.over, found.champion) == (True, "bot2@1")


def test_too_few_bots_for_a_table_play_nothing() -> None:
    assert Event(names(3), 4).next() is None
    assert Event([], 2).next() is None
    assert bracket(Event([], 2)) == Bracket((), over=True, champion=None)


def test_a_bot_that_enters_late_does_not_play() -> None:
    event = Event(names(4))
    event.results += [played(fixture, by_number(fixture)) for fixture in event.next() or []]
    event.roster.insert(0, "late@1")
    event.play()
    assert all("late@1" not in group for wave in range(2) for group in event.groups(wave))


def test_who_is_in_an_issued_round_stays_in_it_whatever_counts_later() -> None:
    event = Event(names(4)).play()
    event.results = [played(fixture, [3 - place for place in by_number(fixture)]) for fixture, _ in event.results]
    first, final = bracket(event).rounds
    assert [on(group) for group in first.groups] == [["bot1@1"], ["bot2@1"]]
    assert [group.why for group in first.groups] == ["changed", "changed"]
    assert final.groups[0].why == "score"
    assert bracket(event).champion == "bot2@1"


def test_while_a_round_is_played_nobody_goes_on_from_it() -> None:
    event = Event(names(4))
    fixtures = event.next() or []
    event.results += [played(fixture, by_number(fixture)) for fixture in fixtures[:2]]
    found = bracket(event, playing=True)
    assert (found.over, found.champion) == (False, None)
    first, second = found.rounds[0].groups
    assert (on(first), first.why, first.contestants[0].scores) == ([], None, (1.0,))
    assert (on(second), second.why, second.contestants[0].scores) == ([], None, (None,))


# Whatever happens


@given(
    st.integers(1, 14),
    st.integers(2, 4),
    st.integers(1, 2),
    st.integers(0, 2),
    st.integers(0, 10**6),
    st.integers(0, 40),
)
def test_it_ends_and_only_those_who_never_lost_are_in_the_end(
    bots: int, seats: int, deals: int, further: int, seed: int, leaving: int
) -> None:
    """Bots leave at random, and fixtures are abandoned at random."""
    event = Event(names(bots), seats, deals, KnockoutSettings(further=further))
    out: set[str] = set()
    seen: set[int] = set()
    while (fixtures := event.next()) is not None:
        assert len(event.issues) <= 4 * bots * (1 + further)
        assert seen.isdisjoint(fixture.deal for fixture in fixtures)
        seen.update(fixture.deal for fixture in fixtures)
        for fixture in fixtures:
            assert len(set(fixture.entries)) == seats
            assert out.isdisjoint(fixture.entries)
            assert set(fixture.entries) <= set(event.roster)
        event.results += [played(fixture, by_luck(fixture)) for fixture in fixtures if luck(seed, fixture.id) % 10]
        event.leave(*(name for name in event.roster if luck(seed, len(event.issues), name) % 100 < leaving))
        first_waves = [round_ for round_ in bracket(event).rounds if round_.groups[0].why]
        out = {
            one.name
            for each in first_waves
            for group in each.groups
            if group.why
            for one in group.contestants
            if not one.on
        }
    found = bracket(event)
    assert found.over
    assert (found.champion is None) == (not event.roster or not set(event.roster) - out)
    lost = Counter(
        one.name for each in found.rounds for group in each.groups for one in group.contestants if not one.on
    )
    assert found.champion not in lost
    assert max(lost.values(), default=0) <= 1


@given(st.integers(2, 14), st.integers(2, 4), st.randoms(use_true_random=False))
def test_the_order_in_which_results_are_given_means_nothing(bots: int, seats: int, shuffler: Random) -> None:
    one, other = Event(names(bots), seats), Event(names(bots), seats)
    while (fixtures := one.next()) is not None:
        results: list[Result] = [played(fixture, by_luck(fixture)) for fixture in fixtures]
        one.results += results
        assert other.next() == fixtures
        other.results = list(one.results)
        shuffler.shuffle(other.results)
    assert other.next() is None
    assert one.issues == other.issues
    assert bracket(one) == bracket(other)


# What is refused

SIZES = "tables: in a knock-out all must be filled by the same number of bots; here they are: 'pair' by 2, 'three' by 3"


@pytest.mark.parametrize(
    ("settings", "tables", "says"),
    [
        (
            KnockoutSettings(),
            [TableSpec("all", 3, {}, "copies")],
            ["table 'all' has seating = 'copies'; a knock-out allows: 'distinct', 'teams'"],
        ),
        (
            KnockoutSettings(),
            [TableSpec("board", 3, {}, "distinct", ((0, 1, 2),))],
            ["at table 'board' nobody plays against anybody; a knock-out needs two sides at every table"],
        ),
        (
            KnockoutSettings(),
            [table(2, "pair"), table(3, "three")],
            [SIZES],
        ),
        (KnockoutSettings(advance=4), [table(4)], ["advance: 4 of 4 bots cannot go on; allowed: 1 to 3"]),
        (
            KnockoutSettings(seeds=("zoe",)),
            [table(2)],
            ["seeds: 'zoe' is no bot of this league; its bots are: ann@1, bob@1"],
        ),
        (
            KnockoutSettings(seeds=("bob", "ann@1"), advance=1),
            [table(2), TableSpec("teams", 4, {}, "teams", ((0, 2), (1, 3)))],
            [],
        ),
    ],
)
def test_a_league_that_cannot_be_a_knock_out_is_answered_with_a_sentence(
    settings: KnockoutSettings, tables: list[TableSpec], says: list[str]
) -> None:
    assert problems(settings, tables, ["bob@1", "ann@1"]) == says
