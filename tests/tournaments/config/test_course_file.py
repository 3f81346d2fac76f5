"""The file of a course, and the list of a class."""

from pathlib import Path

import pytest

from referee.core.errors import FileProblems
from tests.tournaments.arena import write_league
from tournaments.config.course_file import Course, read_class_list, read_course
from tournaments.config.league_file import LeagueFileError
from tournaments.league.people import BadPeople, Person
from tournaments.results.league_location import past_leagues

COURSE = 'url = "https://ai.example.edu"\nstore = "course.sqlite"\nleagues = ["ladder.toml", "weeks/*.toml"]\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A course of three leagues."""
    (tmp_path / "weeks").mkdir()
    for name in ("ladder", "weeks/week1", "weeks/week2"):
        write_league(tmp_path / f"{name}.toml", [], 1)
    (tmp_path / "course.toml").write_text(COURSE)
    return tmp_path


def test_a_course_has_the_leagues_that_its_patterns_name_and_one_store(folder: Path) -> None:
    files = tuple(folder / name for name in ("ladder.toml", "weeks/week1.toml", "weeks/week2.toml"))
    store = f"sqlite:///{folder / 'course.sqlite'}"
    assert read_course(folder / "course.toml") == Course(files, store, "https://ai.example.edu")
    found = past_leagues(folder / "course.toml", None)
    assert [(file, league.name, url) for file, (league, url) in found] == [(file, file.stem, store) for file in files]
    write_league(folder / "weeks" / "week3.toml", [], 1)
    assert len(past_leagues(folder / "course.toml", None)) == 4


def test_a_league_file_is_a_course_of_this_league_alone(folder: Path) -> None:
    assert read_course(folder / "ladder.toml") == Course((folder / "ladder.toml",))


def test_a_pattern_may_be_absolute_and_does_not_name_the_course_itself(folder: Path) -> None:
    (folder / "course.toml").write_text(f"leagues = ['*.toml', '{folder}/weeks/week2.toml']")
    found = read_course(folder / "course.toml")
    assert found.files == (folder / "ladder.toml", folder / "weeks" / "week2.toml")
    assert found.store == "sqlite:///course.sqlite"


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("leagues = []", ["course.toml: leagues: is empty"]),
        ("leagues = ['ladder.toml', 'nope.toml', '']", ["no file nope.toml", "there is no file "]),
        ("leagues = ['ladder.toml']\ncolour = 1", ["colour: is not known; known here: url, store, leagues"]),
        ("leagues = ['ladder.toml']\nurl = 'x'\nstore = 'mysql://x'", ["url: ", "store: this address is not allowed"]),
        ("leagues = 'ladder.toml'", ["leagues: "]),
    ],
)
def test_all_that_is_wrong_with_a_course_is_told_at_once(folder: Path, text: str, sentences: list[str]) -> None:
    (folder / "course.toml").write_text(text)
    with pytest.raises(FileProblems) as found:
        read_course(folder / "course.toml")
    assert len(found.value.problems) == len(sentences)
    assert all(part in problem for part, problem in zip(sentences, found.value.problems, strict=True))


def test_a_league_that_names_another_store_is_no_league_of_the_course(folder: Path) -> None:
    for week in ("week1", "week2"):
        file = folder / "weeks" / f"{week}.toml"
        file.write_text(f'store = "{week}.sqlite"\n' + file.read_text())
    with pytest.raises(LeagueFileError) as found:
        past_leagues(folder / "course.toml", None)
    assert found.value.problems == (
        "week1.toml: store: is not that of course.toml; remove this line",
        "week2.toml: store: is not that of course.toml; remove this line",
    )


# The list of a class

LIST = "name,full_name,mail,reference,team,role"


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_list_is_read_by_its_headings_with_any_separator_and_with_a_mark_at_its_start(
    separator: str, mark: str
) -> None:
    text = mark + "Mail;Full name;Team\r\neva.m@x.org;Müller, Eva;foxes\r\n\r\n".replace(";", separator)
    if separator == ",":
        text = text.replace("Müller, Eva", '"Müller, Eva"')
    person = Person("eva-m", "eva-m", "author", "foxes", "Müller, Eva", "", "eva.m@x.org")
    assert read_class_list(text) == ({2: person}, [])


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
    found, (fault,) = read_class_list(f"{LIST}\n{line}\nann,,,,,\n")
    assert fault.startswith(FAULTS[line])
    assert list(found) == [3]


def test_all_faulty_lines_are_told_at_once() -> None:
    _, faults = read_class_list("\n".join([LIST, "ann,,,,,", *FAULTS]))
    assert [fault.split(":")[0] for fault in faults] == [f"line {at}" for at in range(3, 10)]


@pytest.mark.parametrize("headings", ["", "full_name", "name,name", "name,colour"])
def test_a_list_without_the_right_headings_is_refused(headings: str) -> None:
    with pytest.raises(BadPeople, match=r"^line 1: the headings"):
        read_class_list(f"{headings}\nx,y\n")
