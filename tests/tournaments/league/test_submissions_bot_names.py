"""New names cannot be taken for those of others, for options, or for devices."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.league.submissions import look_of, name_faults

NAMES = st.text("abilmnorvw01IOL-_", min_size=1, max_size=6)

ALIKE = [
    ("Greedy", "greedy"),
    ("GREEDY", "greedy"),
    ("Greedy", "gReedy"),
    ("p0ker", "poker"),
    ("POKER", "p0ker"),
    ("a1ice", "alice"),
    ("aIice", "alice"),
    ("ALlCE", "alice"),
    ("rnax", "max"),
    ("max", "rnax"),
    ("vvasp", "wasp"),
    ("VVasp", "wasp"),
    ("my_bot", "my-bot"),
    ("rnY_B0t", "my-bot"),
]


@pytest.mark.parametrize(("name", "other"), ALIKE)
def test_a_name_that_differs_by_case_or_look_alone_is_refused_and_the_other_is_named(name: str, other: str) -> None:
    sentence = f"the name {name} is too like a name that is taken, {other}; choose another one"
    assert list(name_faults(name, ["zoe", other, "ann"])) == [sentence]


@pytest.mark.parametrize("name", ["greedy2", "greed", "2greedy", "greeby", "my-bots", "mybot", "-", "_"])
def test_a_name_that_looks_different_is_taken(name: str) -> None:
    assert not any("too like" in fault for fault in name_faults(name, ["greedy", "my-bot"]))


@pytest.mark.parametrize("name", ["-rf", "--help", "-", "-1"])
def test_a_name_that_a_command_would_take_for_an_option_is_refused(name: str) -> None:
    assert list(name_faults(name, [])) == [
        f"the name {name} begins with -, as options of commands do; choose another one"
    ]


@pytest.mark.parametrize("name", ["CON", "con", "Nul", "prn", "AUX", "com1", "LPT9"])
def test_the_name_of_a_device_is_refused(name: str) -> None:
    assert list(name_faults(name, [])) == [f"the name {name} is that of a device on some systems; choose another one"]


@pytest.mark.parametrize("name", ["console", "com", "com10", "a-rf", "null", "_con"])
def test_a_name_that_only_contains_one_is_taken(name: str) -> None:
    assert list(name_faults(name, [])) == []


@given(NAMES, NAMES)
def test_names_are_alike_in_both_directions(first: str, second: str) -> None:
    alike = look_of(first) == look_of(second)
    assert any("too like" in fault for fault in name_faults(first, [second])) == alike
    assert any("too like" in fault for fault in name_faults(second, [first])) == alike


@given(NAMES)
def test_another_case_is_always_alike(name: str) -> None:
    assert look_of(name.upper()) == look_of(name.lower()) == look_of(name)
