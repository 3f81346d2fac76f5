from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tournaments.league.model import MATCHES_A_START
from tournaments.schedule.formats.wave import pieces


def test_the_cuts_are_those_that_are_promised() -> None:
    assert [piece.start for piece in pieces(range(2_000))] == [0, 8, 24, 56, 120, 248, 504, 1016, 1528]


@given(st.integers(0, 3), st.integers(0, 5_000))
def test_pieces_are_all_the_deals_in_order_and_none_is_too_long(first: int, count: int) -> None:
    found = list(pieces(range(first, first + count)))
    assert [deal for piece in found for deal in piece] == list(range(first, first + count))
    assert all(len(piece) <= MATCHES_A_START for piece in found)


@given(st.integers(0, 5_000))
def test_who_has_played_a_piece_more_has_at_most_twice_the_deals_and_eight(count: int) -> None:
    ends = [0, *(piece.stop for piece in pieces(range(count)))]
    assert all(more <= 2 * fewer + 8 for fewer, more in pairwise(ends))
