from collections import Counter
from itertools import chain, combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.schedule.formats.balanced_blocks import Block, meetings
from tournaments.schedule.formats.balanced_connection import can_be_one, joined, parts

Choice = tuple[Block, ...]

TWO_TRIANGLES: Choice = ((0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5))
MATCHING: Choice = ((0, 1), (2, 3), (4, 5))


def plays(points: int, chosen: Choice) -> list[int]:
    counts = Counter(chain.from_iterable(chosen))
    return [counts[point] for point in range(points)]


def squares(chosen: Choice) -> int:
    met = Counter(pair for block in chosen for pair in combinations(block, 2))
    return sum(count**2 for count in met.values())


def level(points: int, chosen: Choice) -> bool:
    often = plays(points, chosen)
    return min(often) >= 1 and max(often) - min(often) <= 1


def test_two_triangles_become_a_ring() -> None:
    (ring,) = joined(6, [TWO_TRIANGLES])
    assert parts(6, [TWO_TRIANGLES]) == 2
    assert parts(6, [ring]) == 1
    assert plays(6, ring) == [2] * 6
    assert len(set(ring)) == 6


def test_what_one_table_does_not_connect_two_tables_may() -> None:
    found = joined(6, [MATCHING, MATCHING])
    assert parts(6, [MATCHING, MATCHING]) == 3
    assert parts(6, found) == 1
    assert [plays(6, chosen) for chosen in found] == [[1] * 6] * 2


def test_a_choice_that_is_connected_or_cannot_be_stays_as_it_is() -> None:
    triangle: Choice = ((0, 2), (0, 1), (1, 2))  # not even the order changes
    assert joined(3, [triangle]) == [triangle]
    assert joined(6, [MATCHING]) == [MATCHING]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("points", "size", "most"), [(4, 2, 4), (5, 2, 6), (6, 2, 6), (6, 3, 4), (7, 3, 4), (8, 4, 3), (6, 4, 4)]
)
def test_whatever_level_choice_falls_apart_is_joined_if_any_of_its_size_is_connected(
    points: int, size: int, most: int
) -> None:
    """All choices in which points are in equally many blocks, or nearly, and each in one at least."""
    every = list(combinations(range(points), size))
    for number in range(1, min(most, len(every)) + 1):
        choices = [chosen for chosen in combinations(every, number) if level(points, chosen)]
        possible = any(parts(points, [chosen]) == 1 for chosen in choices)
        for chosen in choices:
            assert can_be_one(points, [chosen]) == possible
            assert (parts(points, joined(points, [chosen])) == 1) == possible


@st.composite
def tables(draw: st.DrawFn) -> tuple[int, list[Choice]]:
    """Points in some parts, and for one table or two, blocks within the parts with every point in at least one."""
    size = draw(st.integers(2, 4))
    sections = draw(st.lists(st.integers(size, size + 4), min_size=1, max_size=4))
    points = sum(sections)
    starts = [sum(sections[:at]) for at in range(len(sections))]
    found: list[Choice] = []
    for _ in range(draw(st.integers(1, 2))):
        chosen: set[Block] = set()
        for start, length in zip(starts, sections, strict=True):
            section = range(start, start + length)
            chosen.update(
                tuple(sorted({point, *(section[(point - start + by) % length] for by in range(size))}))
                for point in section[::size]
            )  # so that every point is in a block
            more = st.sets(st.sampled_from(section), min_size=size, max_size=size)
            chosen.update(tuple(sorted(each)) for each in draw(st.lists(more, max_size=comb(length, 2))))
        found.append(tuple(sorted(chosen)))
    return points, found


@given(tables())
def test_joining_connects_what_it_can_and_takes_nothing_from_how_even_a_choice_is(
    given_: tuple[int, list[Choice]],
) -> None:
    points, choices = given_
    found = joined(points, choices)
    assert parts(points, found) == (1 if can_be_one(points, choices) else parts(points, choices))
    for before, after in zip(choices, found, strict=True):
        assert plays(points, after) == plays(points, before)
        assert len(set(after)) == len(before)
        assert {len(block) for block in after} == {len(block) for block in before}
        assert all(block == tuple(sorted(set(block))) for block in after)
        assert squares(after) <= squares(before)
        assert meetings(points, after).spread <= meetings(points, before).spread


@given(tables())
def test_parts_are_those_that_a_walk_from_block_to_block_finds(given_: tuple[int, list[Choice]]) -> None:
    points, choices = given_
    left, found = set(range(points)), 0
    while left:
        walk = [left.pop()]
        found += 1
        while walk:
            here = walk.pop()
            near = {point for chosen in choices for block in chosen if here in block for point in block} & left
            left -= near
            walk += near
    assert parts(points, choices) == found
