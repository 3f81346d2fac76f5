from collections.abc import Sequence

import pytest

from tournaments.schedule.formats.issued_waves import IssuedWave
from tournaments.schedule.formats.open_league import attendance
from tournaments.schedule.formats.wave import LineUp


def issue(roster: str, *pairs: str, deals: int = 1) -> IssuedWave:
    """A wave of duels, each pair from both seats."""
    line_ups = (LineUp("t", tuple(turn), at) for pair in pairs for at, turn in enumerate((pair, pair[::-1])))
    return IssuedWave(tuple(roster), tuple(line_ups), 0, deals)


def debts(issues: Sequence[IssuedWave], least: float = 0.25) -> dict[str, float]:
    return attendance(issues, least).debts


def test_matches_are_those_of_all_waves_on_all_deals() -> None:
    found = attendance([issue("abc", "ab", deals=3), issue("abcd", "ab", "cd")], 0.2)
    assert found.matches == 10
    assert found.played == {"a": 8, "b": 8, "c": 2, "d": 2}
    assert found.new("e")
    assert not found.new("d")


def test_an_entry_that_does_not_play_is_owed_its_least_part_of_a_share_for_every_wave() -> None:
    assert debts([issue("abc", "ab")] * 3)["c"] == pytest.approx(0.75)


def test_what_an_entry_plays_pays_its_debts_by_the_even_share_of_the_wave() -> None:
    # Six seats for three entries: two line-ups, or one group, are an even share.
    assert debts([issue("abc", "ab")] * 6 + [issue("abc", "ab", "ac", "bc")])["c"] == pytest.approx(0.75)


def test_what_an_entry_plays_beyond_its_debts_is_not_saved_up() -> None:
    assert debts([issue("abc", "ab", "ac"), issue("abc", "bc")])["a"] == pytest.approx(0.25)


def test_an_entry_is_owed_nothing_for_waves_that_it_was_not_on_the_roster_of() -> None:
    assert debts([issue("abcd", "ab"), issue("ab", "ab"), issue("abc", "ab")])["c"] == pytest.approx(0.5)


def test_more_deals_are_no_larger_share() -> None:
    assert debts([issue("abc", "ab", deals=9)]) == debts([issue("abc", "ab")])
