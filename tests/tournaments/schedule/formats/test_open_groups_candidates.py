from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.leagues import SEED
from tournaments.league.model import TableSpec
from tournaments.schedule.formats.open_groups import Group, GroupShape
from tournaments.schedule.seating import groups

NAMES = tuple("gafbdce")
SHAPES = st.builds(GroupShape, st.integers(1, 4), st.booleans()).filter(
    lambda shape: not shape.copies or shape.size > 1
)


@pytest.mark.parametrize(("size", "seating"), [(2, "distinct"), (3, "distinct"), (2, "copies"), (4, "copies")])
def test_all_groups_are_those_of_the_table(size: int, seating: str) -> None:
    table = TableSpec("t", size, {}, "copies" if seating == "copies" else "distinct")
    shape = GroupShape(size, seating == "copies")
    assert sorted(shape.all(NAMES)) == sorted(groups(table, NAMES))
    assert shape.count(len(NAMES)) == len(list(groups(table, NAMES)))


def allowed(shape: GroupShape, group: Group) -> bool:
    different = len(set(group))
    return len(group) == shape.size and different > 1 if shape.copies else different == len(group) == shape.size


@given(SHAPES, st.integers(0, 12), st.binary(min_size=32, max_size=32))
def test_groups_at_random_are_different_and_allowed(shape: GroupShape, number: int, seed: bytes) -> None:
    found = shape.at_random(NAMES, number, seed)
    assert len(set(found)) == len(found) <= number
    assert all(allowed(shape, group) and set(group) <= set(NAMES) for group in found)


def test_groups_at_random_are_as_many_as_wanted_up_to_half_of_all() -> None:
    for size in (2, 3, 4):
        assert len(GroupShape(size, copies=False).at_random(NAMES, 10, SEED)) == 10


def test_groups_at_random_hold_every_entry_equally_often() -> None:
    shape = GroupShape(2, copies=False)
    found = [shape.at_random(NAMES, 1, number.to_bytes(32, "little"))[0] for number in range(700)]
    counts = Counter(name for group in found for name in group)
    assert max(counts.values()) < 1.4 * min(counts.values())


@given(SHAPES, st.integers(1, 6), st.binary(min_size=32, max_size=32))
def test_groups_around_an_entry_are_allowed_and_hold_it(shape: GroupShape, each: int, seed: bytes) -> None:
    found = list(shape.around(NAMES, each, seed))
    assert all(allowed(shape, group) for group in found)
    if not shape.copies:
        assert [NAMES[at // each] in group for at, group in enumerate(found)] == [True] * (each * len(NAMES))


def test_groups_around_an_entry_are_drawn_near_it_and_from_all() -> None:
    ranked = [f"{number:03}" for number in range(200)]
    gaps = [abs(int(one) - int(other)) for one, other in GroupShape(2, copies=False).around(ranked, 12, SEED)]
    assert sum(gap <= 4 for gap in gaps) > len(gaps) / 8
    assert sum(gap > 40 for gap in gaps) > len(gaps) / 20


def test_other_seeds_draw_other_groups() -> None:
    shape = GroupShape(3, copies=False)
    assert shape.at_random(NAMES, 4, SEED) != shape.at_random(NAMES, 4, bytes(32))
    assert list(shape.around(NAMES, 4, SEED)) != list(shape.around(NAMES, 4, bytes(32)))


def test_a_table_for_copies_needs_two_entries_and_any_other_one_for_each_seat() -> None:
    assert [GroupShape(4, copies=True).fits(entries) for entries in (1, 2)] == [False, True]
    assert [GroupShape(4, copies=False).fits(entries) for entries in (3, 4)] == [False, True]
