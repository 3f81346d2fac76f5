"""Names that may be taken, and what each role may do."""

import pytest

from tournaments.league.people import (
    RIGHTS,
    Person,
    differences,
    display_name_faults,
    people_faults,
    plain_display_name,
)


def faults(*words: str, fixed: tuple[str, ...] = ()) -> list[str]:
    pairs = [word.partition("/") for word in words]
    listed = {line: Person(name, name, team=team or None) for line, (name, _, team) in enumerate(pairs)}
    known = {"tom": Person("tom", "Tommy"), "joe": Person("joe", "joe", team="owls")}
    return list(people_faults(listed, known, fixed))


def test_names_that_are_double_or_like_others_are_faults_of_their_lines() -> None:
    assert faults("eva", "tom/owls", "ann/foxes") == []
    assert [each.partition(":")[0] for each in faults("eva", "Eva", "ann")] == ["line 0", "line 1"]
    assert "too like a name that is taken, tom" in faults("t0m")[0]
    assert "too like a name that is taken, Tommy" in faults("tommy")[0]
    assert "too like a name that is taken, organizer" in faults("0rganizer")[0]
    assert "too like a name that is taken, owls" in faults("0wls")[0]
    assert "the team: the name eva is too like a name that is taken, eva" in faults("eva", "ann/eva")[0]


def test_nobody_is_of_two_teams_and_a_team_with_a_bot_takes_nobody() -> None:
    assert faults("joe/owls", fixed=("owls",)) == []
    assert faults("joe/foxes") == ["line 0: joe is of the team owls already, and nobody may be of two"]
    assert faults("tom/owls", fixed=("owls",)) == [
        "line 0: the team owls has submitted a bot, and takes nobody any more"
    ]


def test_what_a_list_says_otherwise_of_somebody_who_is_there_is_told() -> None:
    known = {"eva": Person("eva", "Eva", "author", None, "Eva Müller", "7", "a@x.org")}
    listed = {
        4: Person("eva", "eva", "assistant", None, "", "8", "a@x.org"),
        5: Person("new", "new"),
        6: Person("old", "old"),
    }
    known["old"] = Person("old", "old", removed_ms=1)
    assert list(differences(listed, known)) == [
        "line 4: eva has role 'author' here, and 'assistant' in the list",
        "line 4: eva has reference '7' here, and '8' in the list",
        "line 6: old was removed, and nobody gets this name again",
    ]


@pytest.mark.parametrize("display_name", ["Eva Müller", "O'Neill-Łoś", "Ömer Çelik 2", "Анна", "李小龙", "3.14"])
def test_display_names_have_letters_of_any_one_script(display_name: str) -> None:
    assert list(display_name_faults(display_name, {"Max"})) == []


@pytest.mark.parametrize(
    "display_name",
    [
        "",
        "=1+1",
        "+4",
        "-x",
        "@me",
        "\tx",
        "<b>x",
        "a\nb",
        "a\u202eb",
        "a\u200bb",
        "x" * 65,
        "\u0430dam",
        "👑",
        " a",
        "'a",
    ],
)
def test_display_names_that_could_be_a_formula_markup_or_a_disguise_are_refused(display_name: str) -> None:
    assert len(list(display_name_faults(display_name, ()))) == 1


@pytest.mark.parametrize("display_name", ["eva müller", "EVA MÜLLER", "Eva-Müller", "Eva Mü11er", "\uff25va Müller"])
def test_nobody_takes_a_display_name_for_that_of_another(display_name: str) -> None:
    found = list(display_name_faults(plain_display_name(display_name), {"Eva Müller"}))
    assert len(found) == 1


def test_rights_are_sets_and_an_assistant_is_no_larger_author() -> None:
    assert RIGHTS["assistant"] - RIGHTS["author"] == {"links"}
    assert RIGHTS["author"] - RIGHTS["assistant"] == {"output", "submit"}
    assert RIGHTS["organizer"] >= RIGHTS["assistant"] >= RIGHTS["spectator"] > RIGHTS[None]
