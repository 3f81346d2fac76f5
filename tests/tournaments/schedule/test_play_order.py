"""The order in which line-ups play the deals of a piece."""

from collections import Counter, defaultdict
from collections.abc import Iterator

import pytest

from tests.tournaments.leagues import SEED, league, wave
from tournaments.league.deals import OwnDeals
from tournaments.league.model import Fixture, League, Sitting, TableSpec
from tournaments.schedule.formats.wave import LineUp, pieces
from tournaments.schedule.play_order import FirstMeeting, drawn_order, first_meetings, parts

COMMON = OwnDeals()
ORDER = drawn_order(SEED, COMMON)
PAIR = wave(league(("ann", "bob"), deals=24)).line_ups
MANY = league(("ann", "bob", "cid", "dan", "eve"), deals=60, seats=(2, 3))
MANY_LINE_UPS = wave(MANY).line_ups
SEEDS = [bytes([number]) * 32 for number in range(256)]


def everything(_at: int, _line_up: LineUp) -> bool:
    return True


def line_up_of(fixture: Fixture) -> LineUp:
    return LineUp(fixture.table, fixture.entries, fixture.rotation)


def played(of: League, batch: int = 1) -> Iterator[Sitting]:
    return wave(of).sittings(everything, batch, ORDER)


def meetings(of: League, piece: range, own: OwnDeals = COMMON) -> dict[str, FirstMeeting]:
    """By entry, where it meets the deals of a piece first."""
    return {
        name: meeting for meeting in first_meetings(SEED, own, wave(of).line_ups, piece) for name in meeting.entries
    }


@pytest.mark.parametrize("batch", [1, 7])
def test_every_line_up_plays_every_deal_once_one_piece_after_the_other_in_an_order_of_its_own(batch: int) -> None:
    cut = list(pieces(range(60), batch))
    found: defaultdict[LineUp, list[int]] = defaultdict(list)
    last = 0
    for sitting in played(MANY, batch):
        (number,) = {at for at, piece in enumerate(cut) for fixture in sitting.fixtures if fixture.deal in piece}
        assert number >= last
        last = number
        found[line_up_of(sitting.fixtures[0])] += [fixture.deal for fixture in sitting.fixtures]
    assert len(found) == len(wave(MANY).line_ups)
    assert all(sorted(deals) == list(range(60)) for deals in found.values())
    assert len(set(map(tuple, found.values()))) == len(found)


def test_every_bot_meets_every_deal_first_where_it_is_drawn_and_in_the_other_line_up_later() -> None:
    met: defaultdict[tuple[str, int], list[LineUp]] = defaultdict(list)
    for sitting in played(MANY):
        for fixture in sitting.fixtures:
            for name in fixture.entries:
                met[name, fixture.deal].append(line_up_of(fixture))
    for piece in pieces(range(60)):
        found = meetings(MANY, piece)
        assert found.keys() == {entry.name for entry in MANY.entries}
        for name, meeting in found.items():
            one, other = (each.line_up for each in meeting.line_ups)
            assert (one.table, sorted(one.entries)) == (other.table, sorted(other.entries))
            for deal in piece:
                early, late = (one, other) if deal in meeting.early else (other, one)
                assert met[name, deal][0] == early
                assert met[name, deal].index(late) > met[name, deal].index(early)


def test_the_second_of_the_two_meetings_is_at_any_place_among_the_others() -> None:
    places: Counter[int] = Counter()
    for seed in SEEDS[:128]:
        order = list(drawn_order(seed, COMMON)(MANY_LINE_UPS, range(8)))
        (meeting, *_) = first_meetings(seed, COMMON, MANY_LINE_UPS, range(8))
        second = meeting.line_ups[1]
        (_, again) = [at for at, each in enumerate(order) if each.number == second.number]
        places[4 * again // len(order)] += 1
    assert all(places[quarter] > 15 for quarter in (1, 2, 3))


def test_the_others_come_in_an_order_that_is_drawn() -> None:
    firsts = {next(each.number for each in drawn_order(seed, COMMON)(MANY_LINE_UPS, range(8))) for seed in SEEDS[:64]}
    assert len(firsts) > 10


def test_the_second_part_of_a_piece_is_new_to_every_bot_when_the_first_was_played() -> None:
    for piece in pieces(range(120)):
        cut = parts(SEED, piece)
        assert sorted(deal for part in cut for deal in part) == list(piece)
        assert len(cut) == (2 if len(piece) >= 16 else 1)
        seen = [deal for each in ORDER(MANY_LINE_UPS, piece) for deal in each.deals]
        in_first = [deal in set(cut[0]) for deal in seen]
        assert in_first == sorted(in_first, reverse=True)


def test_a_line_up_that_begins_a_piece_plays_as_many_deals_early_as_late() -> None:
    for batch in (1, 4, 16):
        sizes: defaultdict[tuple[LineUp, int], list[int]] = defaultdict(list)
        cut = list(pieces(range(64), batch))
        for sitting in wave(league(("ann", "bob"), deals=64)).sittings(everything, batch, ORDER):
            number = next(at for at, piece in enumerate(cut) if sitting.fixtures[0].deal in piece)
            sizes[line_up_of(sitting.fixtures[0]), number].append(len(sitting.fixtures))
        assert all(len(set(found)) == 1 for found in sizes.values())


def test_each_half_is_as_likely_as_the_other() -> None:
    drawn = [first_meetings(seed, COMMON, PAIR, range(8, 24))[0] for seed in SEEDS]
    early = Counter(
        deal
        for meeting in drawn
        for deal in range(8, 24)
        if (deal in meeting.early) == (meeting.line_ups[0].line_up.rotation == 0)
    )
    assert all(96 < early[deal] < 160 for deal in range(8, 24))


def test_no_line_up_with_luck_of_its_own_begins_a_piece() -> None:
    tables = tuple(TableSpec(name, 2, {}, luck=luck) for name, luck in (("here", "own"), ("there", "common")))  # type: ignore[arg-type] # they are
    of = league(deals=8, tables=tables)
    found = meetings(of, range(8), OwnDeals(frozenset({"here"}), frozenset({"cid@1"})))
    assert {name: meeting.line_ups[0].line_up.table for name, meeting in found.items()} == {
        "ann@1": "there",
        "bob@1": "there",
    }
    assert meetings(of, range(8), OwnDeals(frozenset({"here", "there"}))) == {}


def test_another_bot_changes_first_meetings_only_by_those_with_itself() -> None:
    before, after = meetings(league(("ann", "bob", "cid", "dan")), range(8)), meetings(MANY, range(8))
    for name, meeting in before.items():
        new = after[name].line_ups[0].line_up
        assert new == meeting.line_ups[0].line_up or "eve@1" in new.entries or new.table == "of-3"


def test_after_a_stop_the_rest_comes_in_the_same_order() -> None:
    of = wave(league(deals=30))
    whole = [fixture for sitting in of.sittings(everything, order=ORDER) for fixture in sitting.fixtures]
    for stop in (1, 5, 13, 50):
        gone = {of.position(fixture) for fixture in whole[:stop]}
        rest = of.sittings(lambda at, _, gone=gone: at not in gone, order=ORDER)  # type: ignore[misc] # it is bound
        assert [fixture for sitting in rest for fixture in sitting.fixtures] == whole[stop:]


def test_a_bot_that_counts_its_matches_learns_no_more_than_the_piece() -> None:
    piece = range(8, 24)
    orders = []
    for seed in SEEDS:
        first = [each for each in drawn_order(seed, COMMON)(PAIR, piece) if each.line_up.rotation == 0]
        orders.append([deal for each in first for deal in each.deals])
    for place in (0, 7, 15):
        times = Counter(order[place] for order in orders)
        assert set(times) == set(piece)
        assert max(times.values()) < 3 * len(orders) / len(piece)


def test_the_order_depends_on_the_seed_of_the_league() -> None:
    piece = range(8, 24)
    assert list(ORDER(PAIR, piece)) == list(drawn_order(SEED, COMMON)(PAIR, piece))
    assert list(ORDER(PAIR, piece)) != list(drawn_order(bytes(32), COMMON)(PAIR, piece))
