"""Which matches are played a second time."""

from itertools import pairwise

from msgspec.structs import replace

from tests.tournaments.leagues import plan
from tests.tournaments.play.nodes.leagues import altered, avenue, played
from tournaments.league import league_seed
from tournaments.league.model import finished
from tournaments.play.nodes.verification import SpotChecks, drawn, is_again

LEAGUE = avenue(["ann", "bob"], deals=1_000)
FIXTURES = plan(LEAGUE)


def taken(again: SpotChecks, seed: bytes, last: int | None = None) -> None:
    match = finished(FIXTURES[0], played(league_seed.header(LEAGUE, bytes(32), FIXTURES[0])))
    for fixture in FIXTURES[:last]:
        header = league_seed.header(LEAGUE, seed, fixture)
        again.take("one", header, replace(match, fixture=fixture))


def waiting(again: SpotChecks) -> set[str]:
    found: set[str] = set()
    while sitting := again.next("two", 1):
        assert is_again(sitting.id)
        found |= {fixture.id for fixture in sitting.fixtures}
    return found


def test_the_seed_draws_the_share_and_always_the_same_matches() -> None:
    first, second, other = SpotChecks(0.05), SpotChecks(0.05), SpotChecks(0.05)
    taken(first, bytes(32))
    taken(second, bytes(32))
    taken(other, b"1" * 32)
    share = waiting(first)
    assert 70 < len(share) < 130
    assert waiting(second) == share != waiting(other)


def test_of_100_matches_at_least_one_is_drawn_with_99_percent() -> None:
    header = league_seed.header(LEAGUE, bytes(32), FIXTURES[0])
    many = (replace(header, bot_seeds=(number.to_bytes(16).hex(),)) for number in range(40_000))
    found = [number for number, header in enumerate(many) if drawn(0.05, header)]
    missed = sum(max(0, after - before - 100) for before, after in pairwise([-1, *found, 40_000]))  # rows without one
    assert missed <= 0.01 * 40_000  # 0.6 % are expected


def test_matches_wait_until_there_are_enough_of_a_line_up_and_never_for_their_own_node() -> None:
    again = SpotChecks(1.0)
    taken(again, bytes(32), 6)  # three of each line-up
    assert again.next("two", 4) is None
    assert again.next("one", 1) is None
    assert not again.waits({"one"})
    sitting = again.next("two", 3)
    assert sitting is not None
    assert len({fixture.entries for fixture in sitting.fixtures}) == 1
    again.put_back(sitting)
    assert len(waiting(again)) == 6


def test_what_differs_is_told_once_and_what_does_not_is_counted() -> None:
    header = league_seed.header(LEAGUE, bytes(32), FIXTURES[0])
    first, second = finished(FIXTURES[0], played(header)), finished(FIXTURES[0], altered(header))
    again = SpotChecks(1.0)
    again.take("one", header, first)
    told = again.difference("two", second)
    assert told is not None
    assert told.startswith(f"{FIXTURES[0].id} came out differently on one and on two: decision 1 of seat ")
    assert again.difference("two", second) is None
    again.take("one", header, first)
    assert again.difference("two", first) is None
    assert (again.same, again.different) == (1, 1)
    again.take("one", header, first)
    again.drop(FIXTURES[0].id)
    assert again.difference("two", second) is None
