from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.leagues import league, plan, wave
from tournaments.schedule.formats.format import NothingPlayed
from tournaments.schedule.formats.round_robin import RoundRobin

NAMES = ["ann", "bob", "cid", "dee", "eve"]
bots = st.lists(st.sampled_from(NAMES), min_size=3, unique=True)
deals = st.integers(1, 4)
seats = st.lists(st.sampled_from([2, 3]), min_size=1, unique=True)


def test_a_fixture_s_id_can_be_said_aloud() -> None:
    first, second, *_ = plan(league(["greedy", "random"], deals=1))
    assert first.id == "nim/of-2/greedy@1+random@1/deal-0/turn-0"
    assert second.id == "nim/of-2/random@1+greedy@1/deal-0/turn-1"


@given(bots, deals, seats)
def test_every_entry_gets_every_seat_on_each_deal_equally_often(bots: list[str], deals: int, seats: list[int]) -> None:
    fixtures = plan(league(bots, deals, seats))
    taken = Counter(
        (entry, fixture.table, fixture.deal, seat) for fixture in fixtures for seat, entry in enumerate(fixture.entries)
    )
    assert len(taken) == len(bots) * deals * sum(seats)
    for number in seats:
        counts = {count for (_, table, _, _), count in taken.items() if table == f"of-{number}"}
        assert len(counts) == 1


@given(bots, deals, seats)
def test_every_group_that_fits_meets_on_every_deal(bots: list[str], deals: int, seats: list[int]) -> None:
    fixtures = plan(league(bots, deals, seats))
    groups = Counter((fixture.table, fixture.deal, frozenset(fixture.entries)) for fixture in fixtures)
    assert all(count == len(group) for (_, _, group), count in groups.items())
    pairs = {group for table, _, group in groups if table == "of-2"}
    assert len(pairs) == (len(bots) * (len(bots) - 1) // 2 if 2 in seats else 0)


@given(bots, deals, seats)
def test_ids_are_unique_and_say_everything(bots: list[str], deals: int, seats: list[int]) -> None:
    fixtures = plan(league(bots, deals, seats))
    assert len({fixture.id for fixture in fixtures}) == len(fixtures)
    for fixture in fixtures:
        line_up = "+".join(fixture.entries)
        assert fixture.id == f"nim/{fixture.table}/{line_up}/deal-{fixture.deal}/turn-{fixture.rotation}"


@given(bots, deals, seats)
def test_the_order_of_lines_in_the_file_means_nothing(bots: list[str], deals: int, seats: list[int]) -> None:
    before = plan(league(bots, deals, seats))
    assert plan(league(sorted(bots, reverse=True), deals, sorted(seats, reverse=True))) == before


@given(bots, deals, seats, st.sampled_from(["aaa", "mid", "zoe"]), st.integers(0, 2))
def test_adding_a_bot_deals_or_a_table_keeps_every_old_fixture_in_order(
    bots: list[str], deals: int, seats: list[int], newcomer: str, more: int
) -> None:
    before = plan(league(bots, deals, seats))
    after = plan(league([newcomer, *bots], deals + more, {*seats, 2}))
    old = set(before)
    assert tuple(fixture for fixture in after if fixture in old) == before


def test_the_plan_goes_deal_by_deal() -> None:
    numbers = [fixture.deal for fixture in plan(league(deals=4, seats=(2, 3)))]
    assert numbers == sorted(numbers)


def test_it_is_one_wave() -> None:
    assert len(wave(league())) == len(plan(league())) == 18
    assert RoundRobin(league()).wave(1, NothingPlayed()) is None
