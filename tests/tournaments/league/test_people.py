"""Class lists, names that may be taken, and what each role may do."""

import pytest

from tournaments.league.people import (
    RIGHTS,
    BadPeople,
    ListedPerson,
    PersonDetails,
    differences,
    display_name_faults,
    people_faults,
    plain_display_name,
    read_class_list,
)

LIST = "name,full_name,mail,reference,team,role"


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_list_is_read_by_its_headings_with_any_separator_and_with_a_mark_at_its_start(
    separator: str, mark: str
) -> None:
    text = mark + "Mail;Full name;Team\r\neva.m@x.org;Müller, Eva;foxes\r\n\r\n".replace(";", separator)
    if separator == ",":
        text = text.replace("Müller, Eva", '"Müller, Eva"')
    assert read_class_list(text) == [
        ListedPerson(2, PersonDetails("eva-m", "eva-m", "author", "Müller, Eva", "", "eva.m@x.org"), "foxes")
    ]


FAULTS = {
    "e v a,,,,,": "line 2: the name 'e v a' is not allowed",
    "eva,,nonsense,,,": "line 2: 'nonsense' is no mail address",
    "eva,,,,,boss": "line 2: 'boss' is no role; allowed: spectator, author, assistant, organizer",
    ",Eva,,,,": "line 2: name or mail must be given",
    "eva,,,,,,more": "line 2: it has 7 fields, and there are 6 headings",
    "eva,a\x07b,,,,": "line 2: 'a\\x07b' is too long, or cannot be printed",
    "eva,,,,f o x,": "line 2: the name 'f o x' is not allowed",
}


@pytest.mark.parametrize("line", FAULTS)
def test_each_fault_of_a_line_is_told_with_its_number(line: str) -> None:
    with pytest.raises(BadPeople) as found:
        read_class_list(f"{LIST}\n{line}\n")
    assert str(found.value).startswith(FAULTS[line])


def test_all_faulty_lines_are_told_at_once() -> None:
    with pytest.raises(BadPeople) as found:
        read_class_list("\n".join([LIST, "ann,,,,,", *FAULTS]))
    assert [line.split(":")[0] for line in str(found.value).split("\n")] == [f"line {at}" for at in range(3, 10)]


@pytest.mark.parametrize("headings", ["", "full_name", "name,name", "name,colour"])
def test_a_list_without_the_right_headings_is_refused(headings: str) -> None:
    with pytest.raises(BadPeople, match=r"^line 1: the headings"):
        read_class_list(f"{headings}\nx,y\n")


def faults(*words: str, fixed: tuple[str, ...] = ()) -> list[str]:
    pairs = [word.partition("/") for word in words]
    listed = [ListedPerson(at, PersonDetails(name, name), team) for at, (name, _, team) in enumerate(pairs)]
    known = {name: PersonDetails(name, name) for name in ("tom", "joe")}
    return list(people_faults(listed, known, {"owls": ["joe"]}, fixed))


def test_names_that_are_double_or_like_others_are_faults_of_their_lines() -> None:
    assert faults("eva", "tom/owls", "ann/foxes") == []
    assert [each.partition(":")[0] for each in faults("eva", "Eva", "ann")] == ["line 0", "line 1"]
    assert "too like a name that is taken, tom" in faults("t0m")[0]
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
    known = {"eva": PersonDetails("eva", "Eva", "author", "Eva Müller", "7", "a@x.org")}
    listed = [ListedPerson(4, PersonDetails("eva", "eva", "assistant", "", "8", "a@x.org"))]
    assert list(differences(listed, known)) == [
        "line 4: eva has role 'author' here, and 'assistant' in the list",
        "line 4: eva has reference '7' here, and '8' in the list",
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
