"""The order in which line-ups play the deals of a piece."""

from collections import Counter
from collections.abc import Iterator

import pytest

from tests.tournaments.leagues import SEED, league, wave
from tournaments.league.model import Sitting
from tournaments.schedule.formats.deal_chunks import pieces
from tournaments.schedule.formats.deal_order import drawn_order
from tournaments.schedule.formats.wave import LineUp

ORDER = drawn_order(SEED)


def everything(_at: int, _line_up: LineUp) -> bool:
    return True


def deals_of(sitting: Sitting) -> list[int]:
    return [fixture.deal for fixture in sitting.fixtures]


def line_up_of(sitting: Sitting) -> LineUp:
    first = sitting.fixtures[0]
    return LineUp(first.table, first.entries, first.rotation)


def by_line_up(sittings: Iterator[Sitting]) -> dict[LineUp, list[list[int]]]:
    found: dict[LineUp, list[list[int]]] = {}
    for sitting in sittings:
        found.setdefault(line_up_of(sitting), []).append(deals_of(sitting))
    return found


@pytest.mark.parametrize("batch", [1, 7])
def test_all_line_ups_play_the_same_pieces_each_in_an_order_of_its_own(batch: int) -> None:
    of = wave(league(deals=60))
    cut = list(pieces(of.deals, batch))
    found = by_line_up(of.sittings(everything, batch, ORDER))
    assert len(found) == 6
    for played in found.values():
        assert [sorted(deals) for deals in played] == [list(piece) for piece in cut]
    assert len({tuple(played[1]) for played in found.values()}) == 6


def test_the_sittings_come_in_the_same_order_whatever_the_order_of_deals() -> None:
    of = wave(league(deals=60))
    drawn, ascending = of.sittings(everything, order=ORDER), of.sittings(everything)
    assert [line_up_of(each) for each in drawn] == [line_up_of(each) for each in ascending]


def test_after_a_stop_the_rest_comes_in_the_same_order() -> None:
    of = wave(league(deals=30))
    whole = [fixture for sitting in of.sittings(everything, order=ORDER) for fixture in sitting.fixtures]
    for played in (1, 5, 13, 50):
        gone = {of.position(fixture) for fixture in whole[:played]}
        rest = of.sittings(lambda at, _, gone=gone: at not in gone, order=ORDER)  # type: ignore[misc] # it is bound
        assert [fixture for sitting in rest for fixture in sitting.fixtures] == whole[played:]


def test_a_bot_that_counts_its_matches_learns_no_more_than_the_piece() -> None:
    line_up, piece = LineUp("of-2", ("ann@1", "bob@1"), 0), range(8, 24)
    orders = [drawn_order(bytes([number]) * 32)(line_up, piece) for number in range(256)]
    for place in (0, 7, 15):
        times = Counter(order[place] for order in orders)
        assert set(times) == set(piece)
        assert max(times.values()) < 3 * len(orders) / len(piece)


def test_the_order_depends_on_the_seed_of_the_league_and_on_the_line_up_alone() -> None:
    line_up, piece = LineUp("of-2", ("ann@1", "bob@1"), 0), range(8, 24)
    assert list(ORDER(line_up, piece)) == list(drawn_order(SEED)(line_up, piece))
    others = [
        drawn_order(bytes(32))(line_up, piece),
        ORDER(line_up._replace(table="of-3"), piece),
        ORDER(line_up._replace(entries=("bob@1", "ann@1")), piece),
        ORDER(line_up._replace(rotation=1), piece),
    ]
    assert all(list(other) != list(ORDER(line_up, piece)) for other in others)
