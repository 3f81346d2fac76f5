from collections import Counter

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.leagues import SEED, league
from tournaments import seeding
from tournaments.model import Entry, TableSpec
from tournaments.schedule import longest_sitting, plan, sittings

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


@given(bots, st.integers(1, 12), seats, st.integers(1, 5))
def test_sittings_hold_what_remains_once_each_and_no_deal_twice(
    bots: list[str], deals: int, seats: list[int], longest: int
) -> None:
    remaining = [fixture for fixture in plan(league(bots, deals, seats)) if len(fixture.id) % 3]
    found = sittings(remaining, longest)
    assert sorted(f.id for sitting in found for f in sitting.fixtures) == sorted(f.id for f in remaining)
    assert len({sitting.id for sitting in found}) == len(found)
    for sitting in found:
        assert len({(f.table, f.entries, f.rotation) for f in sitting.fixtures}) == 1
        assert len({f.deal for f in sitting.fixtures}) == len(sitting.fixtures) <= longest


def test_the_first_piece_of_every_line_up_comes_before_the_second_of_any() -> None:
    found = sittings(plan(league(deals=5)), longest=2)
    assert [sitting.fixtures[0].deal for sitting in found] == [0] * 6 + [2] * 6 + [4] * 6


def test_a_sitting_stays_at_one_table_though_two_tables_have_the_same_line_up() -> None:
    tables = tuple(TableSpec(name, 2, {}) for name in ("here", "there"))
    found = sittings(plan(league(tables=tables)))
    assert len(found) == 12
    assert all(len({fixture.table for fixture in sitting.fixtures}) == 1 for sitting in found)


def test_a_fresh_league_has_one_match_a_sitting() -> None:
    fresh = league(fresh=True)
    assert longest_sitting(fresh) == 1
    assert longest_sitting(league()) > 1
    fixtures = plan(fresh)
    assert len(sittings(fixtures, longest_sitting(fresh))) == len(fixtures)


def test_a_deal_is_the_same_for_every_line_up_rotation_and_table_and_no_other_is_like_it() -> None:
    here = league(seats=(2, 3), deals=2)
    first, second = ({seeding.header(here, SEED, f).deal_seed for f in plan(here) if f.deal == deal} for deal in (0, 1))
    assert len(first) == len(second) == 1
    assert first != second


def test_bot_seeds_and_match_ids_differ_from_fixture_to_fixture_and_seat_to_seat() -> None:
    here = league(seats=(3,), deals=2)
    headers = [seeding.header(here, SEED, fixture) for fixture in plan(here)]
    told = [text for header in headers for text in (*header.bot_seeds, header.match_id)]
    assert len(set(told)) == len(told)
    assert {len(text) for header in headers for text in header.bot_seeds} == {32}
    assert {len(header.match_id) for header in headers} == {16}


def test_a_header_is_of_the_fixture_s_own_table() -> None:
    here = league(seats=(2, 3))
    tables = (here.tables[0], msgspec.structs.replace(here.tables[1], options={"mode": "fancy"}))
    here = msgspec.structs.replace(here, tables=tables)
    modes = {fixture.table: seeding.header(here, SEED, fixture).options["mode"] for fixture in plan(here)}
    assert modes == {"of-2": "plain", "of-3": "fancy"}


def test_a_newcomer_moves_nobody_s_seeds() -> None:
    before = league()
    after = msgspec.structs.replace(before, entries=(Entry("aaa@1", "/bots/aaa"), *before.entries))
    for fixture in plan(before):
        assert seeding.header(after, SEED, fixture) == seeding.header(before, SEED, fixture)


def test_a_whole_seed_stands_for_itself_and_a_short_one_for_what_is_derived_from_it() -> None:
    assert seeding.from_given(SEED.hex()) == SEED
    assert seeding.from_given(SEED.hex().upper()) == SEED
    assert len(seeding.from_given("7")) == 32
    assert seeding.from_given("7") != seeding.from_given("8")


def test_the_commitment_is_the_sha_256_of_the_seed() -> None:
    # FIPS 180-4 test value for 32 bytes 00 01 ... 1f, computed with sha256sum.
    assert seeding.commitment(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
