"""What a bot may be entered with."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.files.entry_arguments import MOST_BYTES, check_plain, plain_arguments, plain_environment
from referee.files.manifest import label_of, labelled, unlabelled
from referee.match.terms import EntryTerms

NAMES = st.from_regex(r"[A-Za-z0-9_-]{1,8}", fullmatch=True)
DOTTED = st.from_regex(r"[A-Za-z0-9._-]{1,8}", fullmatch=True)


@pytest.mark.parametrize(
    "name",
    [
        "PATH",
        "HOME",
        "PWD",
        "OLDPWD",
        "SHLVL",
        "TMPDIR",
        "_",
        "LD_PRELOAD",
        "LC_ALL",
        "PYTHONPATH",
        "PYTHON",
        "REFEREE_TOKEN",
    ],
)
def test_a_reserved_variable_is_refused_by_name(name: str) -> None:
    with pytest.raises(
        ValueError, match=rf"^{name} is reserved; not allowed: HOME, .*, and names that begin with LC_, "
    ):
        plain_environment({"DEPTH": "4", name: "x"})


@pytest.mark.parametrize("name", ["", "A=B", "A B", "1ST", "-u", "é", "A\n", "A\0"])
def test_a_name_that_no_variable_can_have_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="is no name of a variable; allowed: letters, digits and _, no digit first"):
        plain_environment({name: "x"})


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"A": "x\0y"}, "A has a NUL character, which no variable can have"),
        ({"A": "x" * MOST_BYTES}, "has 4,097 bytes in all; at most 4,096 are allowed"),
        ({f"A{number}": "é" for number in range(1000)}, "has 5,890 bytes in all; at most 4,096 are allowed"),
    ],
)
def test_variables_without_end_are_refused(environment: dict[str, str], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        plain_environment(environment)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--depth", ""], "has an empty argument, which no command of a bot may have"),
        (["x\0"], "has a NUL character, which no command can have"),
        (["{home}"], r"{home} is not known; allowed: {python}, {address}"),
        (["x" * 2048, "y" * 2049], "has 4,097 bytes in all; at most 4,096 are allowed"),
    ],
)
def test_words_that_no_command_can_have_are_refused(arguments: list[str], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        plain_arguments(arguments)


def test_variables_are_put_in_the_order_of_their_names() -> None:
    assert list(plain_environment({"b": "1", "A": "", "_C": "=\n"})) == ["A", "_C", "b"]
    assert plain_arguments(["--x", "{python}", "a b"]) == ["--x", "{python}", "a b"]


@pytest.mark.parametrize("terms", [{"arguments": ("",)}, {"environment": {"LD_PRELOAD": "/evil.so"}}])
def test_what_a_transcript_says_is_held_to_the_same_rules(terms: dict[str, Any]) -> None:
    check_plain(EntryTerms(("--depth", "4"), {"DEPTH": "4"}))
    with pytest.raises(ValueError, match=r"empty argument|is reserved"):
        check_plain(EntryTerms(**terms))


@given(NAMES, DOTTED, st.none() | DOTTED)
def test_the_name_of_an_entry_says_which_bot_it_is_and_its_label(name: str, version: str, label: str | None) -> None:
    entry = labelled(f"{name}@{version}", label)
    assert unlabelled(entry) == f"{name}@{version}"
    assert label_of(entry) == label
