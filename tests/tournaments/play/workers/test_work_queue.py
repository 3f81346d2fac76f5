from collections import Counter
from collections.abc import Iterator

import pytest

from tournaments.league.model import Entry, Fixture, Remote, Sitting
from tournaments.play.workers.work_queue import LOOK_AHEAD, WorkQueue, may_begin

NEAR, FAR = Entry("near@1", "/bots/near"), Entry("far@1", "grpcs://far:1", Remote(parallel=2))
ENTRIES = {entry.name: entry for entry in (NEAR, FAR)}
FREE = Counter[str]()
BUSY = Counter({"far@1": 2})


def sitting_of(*names: str) -> Sitting:
    return Sitting("+".join(names), (Fixture("id", "table", names, 0, 0),))


@pytest.mark.parametrize(
    ("names", "held", "may"),
    [
        (("near@1", "near@1"), {"near@1": 9, "far@1": 9}, True),
        (("near@1", "far@1"), {}, True),
        (("near@1", "far@1"), {"far@1": 1}, True),
        (("near@1", "far@1"), {"far@1": 2}, False),
        (("far@1", "far@1"), {"far@1": 1}, False),
        (("far@1", "far@1", "far@1"), {}, True),  # more than it may hold, but the match must be played some time
        (("far@1", "far@1", "far@1"), {"far@1": 1}, False),
    ],
)
def test_a_sitting_may_begin_if_no_remote_bot_holds_more_seats_than_it_should(
    names: tuple[str, ...], held: dict[str, int], may: bool
) -> None:
    assert may_begin(sitting_of(*names), Counter(held), ENTRIES) is may


def test_sittings_are_taken_in_their_order() -> None:
    queue = WorkQueue([sitting_of("near@1"), sitting_of("far@1")], ENTRIES)
    assert [queue.next(FREE), queue.next(FREE), queue.next(FREE)] == [sitting_of("near@1"), sitting_of("far@1"), None]
    assert not queue


def test_who_waits_for_a_busy_bot_is_passed_by_and_comes_first_when_it_is_free() -> None:
    waits, may, last = sitting_of("far@1"), sitting_of("near@1", "near@1"), sitting_of("near@1")
    queue = WorkQueue([waits, may, last], ENTRIES)
    assert queue.next(BUSY) == may
    assert queue.next(FREE) == waits
    assert queue
    assert queue.next(FREE) == last


def test_a_sitting_that_bots_can_continue_with_is_taken_first_if_it_is_near_and_may_begin() -> None:
    first, second, third = sitting_of("near@1"), sitting_of("far@1"), sitting_of("near@1", "near@1")

    def taken(wish: Sitting, held: Counter[str]) -> Sitting | None:
        queue = WorkQueue([first, second, third], ENTRIES, near=2)
        return queue.next(held, can_continue=lambda sitting: sitting == wish)

    assert taken(second, FREE) == second
    assert taken(second, BUSY) == first
    assert taken(third, FREE) == first


def test_what_is_passed_by_for_a_sitting_that_bots_can_continue_with_keeps_its_place() -> None:
    sittings = [sitting_of("near@1"), sitting_of("far@1"), sitting_of("near@1", "near@1")]
    queue = WorkQueue(sittings, ENTRIES, near=3)
    assert queue.next(FREE, can_continue=lambda sitting: sitting == sittings[1]) == sittings[1]
    assert [queue.next(FREE), queue.next(FREE), queue.next(FREE)] == [sittings[0], sittings[2], None]


def test_a_sitting_that_is_put_back_comes_before_all_that_wait() -> None:
    waits, begun, last = sitting_of("far@1"), sitting_of("near@1", "near@1"), sitting_of("near@1")
    queue = WorkQueue([waits, begun, last], ENTRIES)
    assert queue.next(BUSY) == begun
    queue.put_back(begun)
    assert [queue.next(FREE), queue.next(FREE), queue.next(FREE)] == [begun, waits, last]
    queue.put_back(begun)
    assert queue
    assert queue.next(FREE) == begun


def test_a_sitting_can_be_put_back_when_as_many_wait_as_are_looked_at() -> None:
    near = sitting_of("near@1")
    queue = WorkQueue([near, *[sitting_of("far@1")] * LOOK_AHEAD * 2], ENTRIES)
    assert queue.next(BUSY) == near
    assert queue.next(BUSY) is None
    queue.put_back(near)
    assert queue.next(BUSY) == near


def test_only_so_many_are_made_as_are_needed() -> None:
    made: list[Sitting] = []

    def sittings() -> Iterator[Sitting]:
        for _ in range(3 * LOOK_AHEAD):
            made.append(sitting_of("far@1"))
            yield made[-1]

    queue = WorkQueue(sittings(), ENTRIES)
    assert queue
    assert queue.next(FREE) is not None
    assert len(made) == 1
    assert queue.next(BUSY) is None
    assert len(made) <= LOOK_AHEAD + 1
    assert queue.next(FREE) is not None
