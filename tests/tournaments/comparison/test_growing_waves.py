from itertools import chain, takewhile

from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.leagues import league
from tournaments.comparison.match_plan import GrowingWaves
from tournaments.schedule.formats.format import NothingPlayed
from tournaments.schedule.formats.round_robin import EveryGroup

LINE_UPS = EveryGroup(league(("ann", "bob")))


def deals(count: int) -> list[range]:
    waves = GrowingWaves("nim", LINE_UPS, count)
    found = (waves.wave(number, NothingPlayed()) for number in range(20))
    return [wave.deals for wave in takewhile(bool, found) if wave]


@given(st.integers(1, 3_000))
def test_waves_have_every_deal_once_in_order(count: int) -> None:
    assert list(chain.from_iterable(deals(count))) == list(range(count))


def test_each_wave_is_twice_as_long_and_the_last_ends_with_the_deals() -> None:
    assert deals(100) == [range(8), range(8, 24), range(24, 56), range(56, 100)]


@given(st.integers(1, 300), st.integers(1, 300))
def test_with_more_deals_the_fixtures_of_fewer_stay_as_they_were(one: int, other: int) -> None:
    few, many = (
        {
            fixture.id
            for wave in map(GrowingWaves("nim", LINE_UPS, count).wave, range(9), [NothingPlayed()] * 9)
            if wave
            for fixture in wave
        }
        for count in sorted((one, other))
    )
    assert few <= many
