from collections import Counter
from hashlib import sha256
from itertools import chain, combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.schedule.formats import balanced_blocks as searching
from tournaments.schedule.formats.balanced_blocks import Block, blocks, meetings


def plays(points: int, chosen: tuple[Block, ...]) -> set[int]:
    """How often a point is in a block, of all points."""
    counts = Counter(chain.from_iterable(chosen))
    return {counts[point] for point in range(points)}


def different(chosen: tuple[Block, ...], points: int, size: int) -> bool:
    fits = all(len(block) == size and set(block) <= set(range(points)) for block in chosen)
    return fits and len(set(chosen)) == len(chosen) and list(chosen) == sorted(map(tuple, map(sorted, chosen)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("points", "size", "number", "each"),
    [
        (7, 3, 7, 1),  # the Fano plane
        (13, 4, 13, 1),  # the projective plane of order 3
        (16, 4, 20, 1),  # the affine plane of order 4
        (21, 5, 21, 1),  # the projective plane of order 4
        (28, 4, 63, 1),
        (31, 3, 155, 1),
        (37, 4, 111, 1),
        (40, 4, 130, 1),  # the lines of a space of order 3
        (10, 4, 15, 2),
        (11, 5, 11, 2),
        (6, 3, 10, 2),
    ],
)
def test_designs_that_are_known_to_exist_are_found(points: int, size: int, number: int, each: int) -> None:
    chosen = blocks(points, size, number)
    assert different(chosen, points, size)
    assert len(chosen) == number
    assert meetings(points, chosen) == (each, each)


@pytest.mark.parametrize(
    ("points", "size", "number"),
    [(64, 5, 89), (64, 5, 128), (64, 5, 640), (64, 5, 2561), (40, 5, 41), (40, 5, 100), (31, 4, 100), (20, 3, 41)],
)
def test_two_meet_at_most_once_more_than_two_others_where_there_is_room(points: int, size: int, number: int) -> None:
    chosen = blocks(points, size, number)
    assert len(chosen) == number
    assert meetings(points, chosen).spread == 1
    assert max(plays(points, chosen)) - min(plays(points, chosen)) <= 1


@pytest.mark.parametrize(("points", "size"), [(4, 3), (5, 3), (5, 4), (6, 4), (6, 5)])
def test_no_choice_at_all_is_more_even(points: int, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all choices in which every point is in equally many blocks, or nearly."""
    monkeypatch.setattr(searching, "_STEPS", 2000)
    blocks.cache_clear()
    every = list(combinations(range(points), size))
    for number in range(1, len(every) // 2 + 1):
        level = (
            chosen
            for chosen in combinations(every, number)
            if max(plays(points, chosen)) - min(plays(points, chosen)) <= 1
        )
        best = min(meetings(points, chosen).spread for chosen in level)
        assert meetings(points, blocks(points, size, number)).spread == best
    blocks.cache_clear()


@pytest.mark.parametrize("number", [5, 8])
def test_the_best_that_a_search_passes_is_kept(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all choices of so many fives of seven, some have a spread of 2; the smallest sum of squares has 3."""
    monkeypatch.setattr(searching, "_STEPS", 2000)
    blocks.cache_clear()
    assert meetings(7, blocks(7, 5, number)).spread == 2
    blocks.cache_clear()


def test_the_best_of_all_searches_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [searching._SearchResult(spread, 50, ((0, 1, spread),)) for spread in (3, 2, 4)]
    monkeypatch.setattr(searching, "_searched", lambda *_: iter(found))
    blocks.cache_clear()
    assert blocks(9, 3, 10) == ((0, 1, 2),)
    blocks.cache_clear()


def test_a_block_of_which_two_turns_are_equal_stands_for_none() -> None:
    rings = searching._Rings(6, 6)
    assert rings.leader([0, 2, 4]) is None
    assert rings.leader([4, 3, 5]) == (0, 1, 2)


sizes = st.integers(3, 5).flatmap(lambda size: st.tuples(st.integers(size, 40), st.just(size)))


@given(sizes, st.integers(0, 60))
def test_every_point_is_in_equally_many_blocks_and_no_block_comes_twice(shape: tuple[int, int], number: int) -> None:
    """Also if the search is broken off early."""
    points, size = shape
    number = min(number, comb(points, size))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(searching, "_STEPS", 200)
        blocks.cache_clear()
        chosen = blocks(points, size, number)
        blocks.cache_clear()
    assert len(chosen) == number
    assert different(chosen, points, size)
    assert max(plays(points, chosen)) - min(plays(points, chosen)) <= 1


@pytest.mark.parametrize(("points", "size"), [(5, 4), (6, 3), (7, 3), (6, 5), (4, 2), (3, 1)])
def test_any_number_of_blocks_can_be_chosen(points: int, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "_STEPS", 200)
    blocks.cache_clear()
    for number in range(comb(points, size) + 1):
        chosen = blocks(points, size, number)
        assert len(chosen) == number
        assert different(chosen, points, size)
        assert max(plays(points, chosen)) - min(plays(points, chosen)) <= 1
    blocks.cache_clear()


def test_what_a_design_leaves_out_is_a_design() -> None:
    rest = blocks(7, 3, 28)
    assert set(rest) == set(combinations(range(7), 3)) - set(blocks(7, 3, 7))
    assert meetings(7, rest) == (4, 4)


def test_meetings_are_counted_for_every_pair() -> None:
    assert meetings(4, [(0, 1, 2), (2, 1, 3)]) == (0, 2)
    assert meetings(3, [(0, 1, 2)]) == (1, 1)


def test_choices_stand() -> None:
    """A change of the search chooses other groups in leagues that are under way, which then lose matches."""
    shapes = [(7, 3, 7), (20, 3, 41), (28, 4, 63), (40, 4, 30), (9, 4, 100)]
    chosen = [blocks(*shape) for shape in shapes]
    assert sha256(repr(chosen).encode()).hexdigest()[:16] == "9dad99d682ddba57"
