from functools import partial
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.leagues import league, wave
from tournaments.league.format_settings import GauntletSettings
from tournaments.league.model import League, TableSpec
from tournaments.schedule.formats.format import NothingPlayed
from tournaments.schedule.formats.gauntlet import Challenged, challengers, problems
from tournaments.schedule.formats.round_robin import RoundRobin
from tournaments.schedule.formats.wave import Wave

NAMES = ["ann", "bob", "cid", "dee", "eve", "fay"]
TABLES = [
    TableSpec("duel", 2, {}),
    TableSpec("three", 3, {}),
    TableSpec("partners", 4, {}, "distinct", ((0, 2), (1, 3))),
    TableSpec("copies", 3, {}, "copies"),
    TableSpec("mixed", 4, {}, "copies", ((0, 2), (1, 3))),
    TableSpec("teams", 4, {}, "teams", ((0, 2), (1, 3))),
    TableSpec("alone", 2, {}, "teams", ((0, 1),)),
]


def gauntlet(league: League, *challengers: str) -> Wave:
    found = RoundRobin(league, partial(Challenged, GauntletSettings(challengers))).wave(0, NothingPlayed())
    assert found is not None
    return found


@given(
    st.lists(st.sampled_from(NAMES), min_size=4, unique=True),
    st.lists(st.sampled_from(TABLES), min_size=1, max_size=3, unique_by=lambda table: table.name),
    st.integers(1, 2),
    st.data(),
)
def test_it_is_a_round_robin_without_the_groups_of_the_field_alone(
    bots: list[str], tables: list[TableSpec], deals: int, data: st.DataObject
) -> None:
    chosen = data.draw(st.lists(st.sampled_from(bots), min_size=1, unique=True))
    everything = league(bots, deals, tables=tuple(tables))
    whole, found = wave(everything), gauntlet(everything, *chosen)
    names = {f"{bot}@1" for bot in chosen}
    expected = [fixture for fixture in whole if names & set(fixture.entries)]
    assert list(found) == expected
    assert len(found) == len(expected)
    assert [found.position(fixture) for fixture in expected] == [whole.position(fixture) for fixture in expected]
    assert all(found.position(fixture) is None for fixture in set(whole) - set(expected))
    assert [number for number, _ in found.line_ups.numbered()] == [
        number for number, line_up in whole.line_ups.numbered() if names & set(line_up.entries)
    ]


def test_two_challengers_against_a_field_of_three_play_each_other_and_everybody_in_it() -> None:
    fixtures = list(gauntlet(league(NAMES[:5], 10), "ann", "bob"))
    assert len(fixtures) == (1 + 2 * 3) * 2 * 10
    assert len([fixture for fixture in fixtures if "cid@1" in fixture.entries]) == 2 * 2 * 10


def test_a_challenger_among_many_does_not_make_all_groups() -> None:
    """If it did, these would be 17 million, and the test would not end."""
    names = [f"bot{at:03}" for at in range(470)]
    found = gauntlet(
        league(names, 1, tables=(TABLES[0], TableSpec("teams", 9, {}, "teams", ((0,), (1,), (2,))))), "bot007"
    )
    pairs = [line_up.entries for _, line_up in islice(found.line_ups.numbered(), 4)]
    assert {frozenset(pair) for pair in pairs} == {
        frozenset(("bot000@1", "bot007@1")),
        frozenset(("bot001@1", "bot007@1")),
    }
    assert len(found) == 469 * 2 + 469 * 468 // 2 * 6


def test_a_name_stands_for_all_versions_and_a_version_for_itself() -> None:
    names = ["ann@1", "ann@2", "bob@1", "bob@2", "annie@1"]
    assert challengers(GauntletSettings(("ann",)), names) == {"ann@1", "ann@2"}
    assert challengers(GauntletSettings(("bob@2", "ann@1")), names) == {"bob@2", "ann@1"}


def test_challengers_who_are_not_there_are_named() -> None:
    assert problems(GauntletSettings(("ann", "dan@3")), ["bob@1", "ann@1"]) == [
        "challengers: 'dan@3' is no bot of this league; its bots are: ann@1, bob@1"
    ]
    assert problems(GauntletSettings(("ann", "bob@1")), ["bob@1", "ann@1"]) == []
    assert len(problems(GauntletSettings(()), ["bob@1"])) == 1


def test_one_wave_is_all() -> None:
    assert RoundRobin(league(), partial(Challenged, GauntletSettings(("ann",)))).wave(1, NothingPlayed()) is None


@pytest.mark.parametrize("more", ["aaa", "zed"])
def test_another_bot_or_challenger_leaves_all_fixtures_in_order(more: str) -> None:
    before = list(gauntlet(league(NAMES, 2, [2, 3]), "bob"))
    for after in (gauntlet(league([*NAMES, more], 2, [2, 3]), "bob"), gauntlet(league(NAMES, 2, [2, 3]), "bob", "eve")):
        old = set(before)
        assert [fixture for fixture in after if fixture in old] == before
        assert len(after) > len(before)
