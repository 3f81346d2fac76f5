"""The id of a fixture says which entries met, whatever their labels are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.files.manifest import labelled
from tests.tournaments.leagues import league, wave
from tournaments.league.model import Entry
from tournaments.schedule.formats.wave import fixture_of, spelled

PLAIN = st.from_regex(r"[A-Za-z0-9_-]{1,6}", fullmatch=True)
DOTTED = st.from_regex(r"[A-Za-z0-9._-]{1,6}", fullmatch=True)
ENTRIES = st.builds(
    lambda name, version, label: labelled(f"{name}@{version}", label), PLAIN, DOTTED, st.none() | DOTTED
)


@given(PLAIN, PLAIN, st.lists(ENTRIES, min_size=1, max_size=5), st.integers(0, 10**6), st.integers(0, 59))
def test_no_two_line_ups_have_one_id(game: str, table: str, entries: list[str], deal: int, rotation: int) -> None:
    fixture_id = f"{game}/{table}/{'+'.join(entries)}/deal-{deal}/turn-{rotation}"
    said = fixture_of(fixture_id)
    assert said is not None
    assert (said.table, said.entries, said.deal, said.rotation) == (table, tuple(entries), deal, rotation)


@pytest.mark.parametrize(
    "line_up", ["ann", "ann+bob", "ann@1+bob", "ann@1@2", "+ann@1", "ann@1+", "ann@1++bob@1", "@1"]
)
def test_what_is_no_line_up_is_no_fixture(line_up: str) -> None:
    assert fixture_of(f"nim/of-2/{line_up}/deal-0/turn-0") is None


@pytest.mark.parametrize("words", ["deal-{}/turn-0", "deal-0/turn-{}", "deal-{}/turn-{}"])
def test_a_number_that_no_deal_has_is_no_fixture_however_long_it_is(words: str) -> None:
    fixture_id = "nim/of-2/ann@1/" + words.format("9" * 5_000, "9" * 5_000)
    assert fixture_of(fixture_id) is None
    assert spelled(fixture_id).deal in {0, -1}


def test_every_fixture_of_a_league_with_labels_is_found_by_its_id() -> None:
    names = ("ann@1", "ann+deep@1", "ann+x@1", "deep@1")
    planned = wave(league(entries=tuple(Entry(name, "/bots/ann") for name in names), seats=(2, 3)))
    assert all(planned.find(spelled(fixture.id)) == (planned.position(fixture), fixture) for fixture in planned)
    assert len({fixture.id for fixture in planned}) == len(planned) > 0
