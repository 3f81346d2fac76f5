import msgspec
from msgspec.structs import replace

from tests.tournaments.leagues import SEED, league, plan
from tournaments.league import league_seed
from tournaments.league.model import Entry


def test_a_deal_is_the_same_for_every_line_up_rotation_and_table_and_no_other_is_like_it() -> None:
    here = league(seats=(2, 3), deals=2)
    first, second = (
        {league_seed.header(here, SEED, f).deal_seed for f in plan(here) if f.deal == deal} for deal in (0, 1)
    )
    assert len(first) == len(second) == 1
    assert first != second


def test_bot_seeds_and_match_ids_differ_from_fixture_to_fixture_and_seat_to_seat() -> None:
    here = league(seats=(3,), deals=2)
    headers = [league_seed.header(here, SEED, fixture) for fixture in plan(here)]
    told = [text for header in headers for text in (*header.bot_seeds, header.match_id)]
    assert len(set(told)) == len(told)
    assert {len(text) for header in headers for text in header.bot_seeds} == {32}
    assert {len(header.match_id) for header in headers} == {16}


def test_a_header_is_of_the_fixture_s_own_table() -> None:
    here = league(seats=(2, 3))
    tables = (here.tables[0], msgspec.structs.replace(here.tables[1], options={"mode": "fancy"}))
    here = msgspec.structs.replace(here, tables=tables)
    modes = {fixture.table: league_seed.header(here, SEED, fixture).options["mode"] for fixture in plan(here)}
    assert modes == {"of-2": "plain", "of-3": "fancy"}


def test_a_newcomer_moves_nobody_s_seeds() -> None:
    before = league()
    after = msgspec.structs.replace(before, entries=(Entry("aaa@1", "/bots/aaa"), *before.entries))
    for fixture in plan(before):
        assert league_seed.header(after, SEED, fixture) == league_seed.header(before, SEED, fixture)


def test_a_whole_seed_stands_for_itself_and_a_short_one_for_what_is_derived_from_it() -> None:
    assert league_seed.from_given(SEED.hex()) == SEED
    assert league_seed.from_given(SEED.hex().upper()) == SEED
    assert len(league_seed.from_given("7")) == 32
    assert league_seed.from_given("7") != league_seed.from_given("8")


def test_the_commitment_is_the_sha_256_of_the_seed() -> None:
    # FIPS 180-4 test value for 32 bytes 00 01 ... 1f, computed with sha256sum.
    assert league_seed.commitment(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_a_scrimmage_on_a_given_deal_has_its_luck_in_every_match_and_own_seeds_for_its_bots() -> None:
    given = replace(league(), deal_seed="ab" * 32)
    for fixture in plan(given):
        usual, header = league_seed.header(league(), SEED, fixture), league_seed.header(given, SEED, fixture)
        assert header == replace(usual, deal_seed="ab" * 32)
