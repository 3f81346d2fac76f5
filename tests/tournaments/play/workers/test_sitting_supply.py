from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Set

import pytest

from referee.match.transcript import Header
from tests.tournaments.leagues import league, plan
from tests.tournaments.supplies import ALL_AT_ONCE, GivenTerms, supply_of
from tournaments.league.model import Entry, Fixture, Remote, Sitting
from tournaments.play.workers.sitting_supply import LOOK_AHEAD, MatchSource, SittingSupply

NEAR, FAR = Entry("near@1", "/bots/near"), Entry("far@1", "grpcs://far:1", Remote(parallel=2))
ENTRIES = {entry.name: entry for entry in (NEAR, FAR)}
FREE = Counter[str]()
BUSY = Counter({"far@1": 2})


def fixture(name: str, *entries: str) -> Fixture:
    return Fixture(name, "table", entries or ("near@1",), 0, 0)


def sitting_of(*names: str) -> Sitting:
    return Sitting("+".join(names), (fixture("id", *names),))


def no_header(fixture: Fixture) -> Header:
    raise AssertionError(fixture)


def supply(
    sittings: Iterable[Sitting],
    near: int = 1,
    wanted: Callable[[Fixture], bool] = lambda _: True,
    away: Callable[[], Set[str]] = frozenset,
) -> SittingSupply:
    return GivenTerms(wanted, away=away).supply(MatchSource(lambda: sittings, no_header, ENTRIES), near)


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
    sitting = sitting_of(*names)
    assert supply([sitting]).next(Counter(held)) == (sitting if may else None)


def test_sittings_are_taken_in_their_order() -> None:
    queue = supply([sitting_of("near@1"), sitting_of("far@1")])
    assert [queue.next(FREE), queue.next(FREE), queue.next(FREE)] == [sitting_of("near@1"), sitting_of("far@1"), None]
    assert not queue


def test_who_waits_for_a_busy_bot_is_passed_by_and_comes_first_when_it_is_free() -> None:
    waits, may, last = sitting_of("far@1"), sitting_of("near@1", "near@1"), sitting_of("near@1")
    queue = supply([waits, may, last])
    assert queue.next(BUSY) == may
    assert queue.next(FREE) == waits
    assert queue
    assert queue.next(FREE) == last


def test_a_sitting_that_bots_can_continue_with_is_taken_first_if_it_is_near_and_may_begin() -> None:
    first, second, third = sitting_of("near@1"), sitting_of("far@1"), sitting_of("near@1", "near@1")

    def taken(wish: Sitting, held: Counter[str]) -> Sitting | None:
        queue = supply([first, second, third], near=2)
        return queue.next(held, can_continue=lambda sitting: sitting == wish)

    assert taken(second, FREE) == second
    assert taken(second, BUSY) == first
    assert taken(third, FREE) == first


def test_what_is_passed_by_for_a_sitting_that_bots_can_continue_with_keeps_its_place() -> None:
    sittings = [sitting_of("near@1"), sitting_of("far@1"), sitting_of("near@1", "near@1")]
    queue = supply(sittings, near=3)
    assert queue.next(FREE, can_continue=lambda sitting: sitting == sittings[1]) == sittings[1]
    assert [queue.next(FREE), queue.next(FREE), queue.next(FREE)] == [sittings[0], sittings[2], None]


def test_a_sitting_that_is_put_back_comes_before_all_that_wait() -> None:
    waits, begun, last = sitting_of("far@1"), sitting_of("near@1", "near@1"), sitting_of("near@1")
    queue = supply([waits, begun, last])
    assert queue.next(BUSY) == begun
    queue.put_back(begun)
    assert [queue.next(FREE), queue.next(FREE), queue.next(FREE)] == [begun, waits, last]
    queue.put_back(begun)
    assert queue
    assert queue.next(FREE) == begun


def test_a_sitting_can_be_put_back_when_as_many_wait_as_are_looked_at() -> None:
    near = sitting_of("near@1")
    queue = supply([near, *[sitting_of("far@1")] * LOOK_AHEAD * 2])
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

    queue = supply(sittings())
    assert queue
    assert queue.next(FREE) is not None
    assert len(made) == 1
    assert queue.next(BUSY) is None
    assert len(made) <= LOOK_AHEAD + 1
    assert queue.next(FREE) is not None


def test_a_sitting_that_nobody_wants_is_dropped_and_one_with_a_wanted_match_is_not() -> None:
    first, second = sitting_of("near@1"), Sitting("both", (fixture("a"), fixture("b")))
    queue = supply([first, second], wanted=lambda match: match.id == "b")
    assert queue
    assert [queue.next(FREE), queue.next(FREE)] == [second, None]


def test_a_sitting_that_was_wanted_when_it_was_passed_by_is_asked_for_again() -> None:
    wanted = {"id"}
    queue = supply([sitting_of("far@1")], wanted=lambda match: match.id in wanted)
    assert queue.next(BUSY) is None
    wanted.clear()
    assert not queue
    assert queue.next(FREE) is None


def test_a_remote_bot_that_cannot_be_reached_waits_and_comes_first_when_it_may_be_called_again() -> None:
    away = {"far@1"}
    waits, last = sitting_of("near@1", "far@1"), sitting_of("near@1")
    queue = supply([waits, last], away=lambda: away)
    assert queue.must_wait(("near@1", "far@1"))
    assert [queue.next(FREE), queue.next(FREE)] == [last, None]
    assert not queue, "nothing may begin now"
    away.clear()
    assert not queue.must_wait(("near@1", "far@1"))
    assert queue
    assert queue.next(FREE) == waits


def test_a_bot_of_this_machine_that_is_away_makes_no_sitting_wait_its_matches_are_not_wanted() -> None:
    queue = supply([sitting_of("near@1")] * (LOOK_AHEAD + 1) + [sitting_of("far@1")], away=lambda: {"near@1"})
    assert not queue.must_wait(("near@1",))
    queue = supply(
        [sitting_of("near@1")] * (LOOK_AHEAD + 1) + [Sitting("far", (fixture("x", "far@1"),))],
        wanted=lambda match: "near@1" not in match.entries,
        away=lambda: {"near@1"},
    )
    assert queue.next(FREE) == Sitting("far", (fixture("x", "far@1"),))


def test_a_part_of_a_supply_has_the_sittings_that_it_accepts_from_the_first_on() -> None:
    near, far = sitting_of("near@1"), sitting_of("far@1")
    whole = supply([near, far, near])
    assert whole.next(FREE) == near
    remote, others = whole.only(lambda sitting: sitting == far), whole.only(lambda sitting: sitting != far)
    assert [remote.next(FREE), remote.next(FREE)] == [far, None]
    assert [others.next(FREE), others.next(FREE), others.next(FREE)] == [near, near, None]


def test_the_terms_say_what_is_played_singly_how_many_at_once_and_which_match_has_a_header() -> None:
    made = league()
    wanted, other = plan(made)[:2]
    terms = GivenTerms(lambda fixture: fixture == wanted, lambda: 3, lambda entries: entries == wanted.entries)
    queue = supply_of(made, terms)
    assert queue.at_once == 3
    assert queue.singly(Sitting("one", (wanted,)))
    assert not supply_of(made, ALL_AT_ONCE).singly(Sitting("one", (wanted,)))
    given = queue.header(wanted)
    assert given is not None
    assert (given.fixture, given.entries) == (wanted.id, wanted.entries)
    assert queue.header(other) is None
    assert (queue.wants((other, wanted)), queue.wants((other,))) == (True, False)
