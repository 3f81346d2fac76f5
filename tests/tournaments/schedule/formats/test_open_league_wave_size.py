import math
from collections import Counter

import pytest

from tournaments.schedule.formats.open_groups import GroupShape
from tournaments.schedule.formats.open_league import PlayCounts, due, most, wave_size

PAIRS = GroupShape(2, copies=False)


def even(entries: int, each: int, new: int = 0) -> PlayCounts:
    """Everybody has played as much, but some are new."""
    played = Counter({str(number): each for number in range(entries)})
    return PlayCounts(entries * each // 2, played, dict.fromkeys((*played, *map(str, range(-new, 0))), 0.0))


def names(attended: PlayCounts) -> list[str]:
    return list(attended.debts)


def test_the_first_wave_is_enough_for_everybody_to_play_once() -> None:
    for entries in (2, 3, 7, 64):
        size = wave_size(PAIRS, list(map(str, range(entries))), even(entries, 0), 2, 0.03, None)
        assert (size.groups, size.times) == (math.ceil(entries / 2), 1)


def test_a_wave_is_its_part_of_what_was_played() -> None:
    attended = even(64, 1000)
    size = wave_size(PAIRS, names(attended), attended, 2, 0.03, None)
    assert size.groups * size.matches == pytest.approx(0.03 * attended.matches, rel=0.01)


def test_groups_play_more_deals_only_when_half_of_them_do_not_make_the_part() -> None:
    attended = even(8, 10_000)
    size = wave_size(PAIRS, names(attended), attended, 2, 0.03, None)
    assert size.groups <= 14  # of 28
    assert size.times > 10
    assert size.matches == 2 * size.times
    assert size.groups * size.matches == pytest.approx(0.03 * attended.matches, rel=0.1)


def test_next_to_a_new_entry_groups_play_the_deals_once() -> None:
    attended = even(8, 10_000, new=1)
    assert wave_size(PAIRS, names(attended), attended, 2, 0.03, None).times == 1


def test_a_new_entry_has_two_groups_in_a_wave_and_later_a_quarter_of_what_it_played() -> None:
    attended = PlayCounts(2000, Counter({"new": 4, "known": 80, "old": 400}), {"new": 0.0, "known": 0.0, "old": 0.0})
    size = wave_size(PAIRS, ["new", "known", "old"], attended, 2, 0.001, None)
    assert [most(name, attended, size) for name in ("new", "known", "old")] == [2, 10, 50]


def test_whoever_is_new_or_in_debt_is_due() -> None:
    played = Counter({"a": 9, "b": 9, "c": 9, "d": 9})
    attended = PlayCounts(18, played, {"a": 0.0, "b": 0.99, "c": 1.01, "d": 3.0, "new": 0.0})
    size = wave_size(PAIRS, list(attended.debts), attended, 2, 0.03, None)._replace(mean_groups=1.0)
    assert [due(name, attended, size, 0.25) for name in attended.debts] == [0, 0, 1, 1, 1]
    large = size._replace(mean_groups=10.0)
    assert [due(name, attended, large, 0.25) for name in attended.debts] == [0, 3, 3, 3, 1]


@pytest.mark.parametrize("left", [0, 1, 2, 3, 9, 40, 1000])
def test_a_wave_leaves_no_match_unpaid(left: int) -> None:
    for entries, each in ((2, 0), (3, 2000), (8, 10_000), (64, 50)):
        attended = even(entries, each)
        size = wave_size(PAIRS, names(attended), attended, 2, 0.5, left)
        assert size.groups * size.matches <= left
        assert size.limit * size.matches <= left
        assert size.groups > 0 or left < 2


def waves(entries: int, matches: int, growth: float, comes_at: tuple[int, ...] = ()) -> int:
    """How many waves it takes. New entries play as much as they may, the others evenly."""
    played = Counter({str(number): 0 for number in range(entries)})
    issued = count = 0
    comes = list(comes_at)
    while issued < matches:
        if comes and issued >= comes[0]:
            played[f"new {comes.pop(0)}"] = 0
        attended = PlayCounts(issued, Counter(played), dict.fromkeys(played, 0.0))
        size = wave_size(PAIRS, list(played), attended, 2, growth, None)
        for name in played:
            played[name] += min(most(name, attended, size), math.ceil(size.mean_groups)) * size.matches
        issued += size.groups * size.matches
        count += 1
    return count


@pytest.mark.parametrize("entries", [2, 3, 8, 64])
def test_ratings_are_computed_a_logarithmic_number_of_times(entries: int) -> None:
    growth = 0.03
    bound = 1.3 / growth * (1 + math.log(100_000 * growth / entries))
    assert waves(entries, 100_000, growth) <= bound
    assert waves(entries, 200_000, growth) - waves(entries, 100_000, growth) <= 1.3 * math.log(2) / growth


def test_a_new_entry_costs_a_logarithmic_number_of_waves_more() -> None:
    without = waves(8, 100_000, 0.03)
    assert without < waves(8, 100_000, 0.03, (50_000,)) < without + 60
