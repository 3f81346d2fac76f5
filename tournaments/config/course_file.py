"""The files of a course: the leagues that share a store and its people, and the list of a class."""

import csv
import re
from collections.abc import Mapping
from glob import glob
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import Field, ValidationError

from referee.files.file_model import FileModel, problems_of
from referee.files.manifest import plain_name
from referee.files.safe_read import read_toml
from tournaments.config.league_file import MOST_BYTES, SQLITE, LeagueFileError, store_at
from tournaments.config.league_keys import StorePlace
from tournaments.league.people import LONGEST, ROLES, BadPeople, Person


class CourseKeys(FileModel):
    """The keys of a course file."""

    url: Annotated[str, Field(pattern="^https?://")] | None = None
    store: StorePlace | None = None
    leagues: Annotated[list[str], Field(min_length=1)]


class Course(NamedTuple):
    """The leagues of a course.

    Attributes:
        files: their files.
        store: the address of the store that they share; None: each file names its own.
        url: the address at which they are served; None: it is not known.
    """

    files: tuple[Path, ...]
    store: str | None = None
    url: str | None = None


def read_course(path: Path) -> Course:
    """The course in a file. A league file is a course of this league alone.

    Raises:
        FileProblems: the file cannot be read, or it is wrong as a course file. The error lists all its mistakes.
    """
    raw = read_toml(path, MOST_BYTES)
    if "leagues" not in raw:
        return Course((path,))
    try:
        keys = CourseKeys.model_validate(raw)
    except ValidationError as error:
        raise LeagueFileError(problems_of(error, CourseKeys, f"{path.name}: ")) from error
    found = {words: _files(path, words) for words in keys.leagues}
    missing = [f"{path.name}: leagues: there is no file {words}" for words, files in found.items() if not files]
    if missing:
        raise LeagueFileError(missing)
    store = f"{SQLITE}{path.stem}.sqlite" if keys.store is None else store_at(path, keys.store)
    return Course(tuple(sorted({each for files in found.values() for each in files})), store, keys.url)


def _files(course: Path, words: str) -> set[Path]:
    places = glob(words, root_dir=course.parent)  # noqa: PTH207 - that of a path takes no absolute one
    return {course.parent / each for each in places} - {course}


_COLUMNS = ("name", "full_name", "mail", "reference", "team", "role")
_MAIL = re.compile(r"[^@\s,;<>\"]{1,64}@[A-Za-z0-9.-]{1,190}")


def read_class_list(text: str) -> tuple[dict[int, Person], list[str]]:
    """The persons of a list by the number of their line, and what is wrong with other lines by themselves.

    The list is CSV: a line of headings, then a line for each person. The columns are `name`, `full_name`, `mail`,
    `reference`, `team` and `role`, in any order. Only `name` or `mail` is needed. The separator is `,`, `;` or a tab.

    Raises:
        BadPeople: it is no such list.
    """
    first = text.lstrip("\ufeff").partition("\n")[0]
    separator = max(",;\t", key=first.count)
    rows = csv.reader(text.lstrip("\ufeff").splitlines(), delimiter=separator)
    try:
        headings = [each.strip().casefold().replace(" ", "_") for each in next(rows, [])]
        lines = [(rows.line_num, row) for row in rows if any(map(str.strip, row))]
    except csv.Error as error:
        raise BadPeople(f"line {rows.line_num}: is no CSV: {error}") from error
    unknown = [each for each in headings if each not in _COLUMNS]
    if unknown or len(set(headings)) < len(headings) or not {"name", "mail"} & set(headings):
        raise BadPeople(f"line 1: the headings are these, each once: {', '.join(_COLUMNS)}; name or mail must be there")
    faults, found = list[str](), dict[int, Person]()
    for number, row in lines:
        fields = {key: value.strip() for key, value in zip(headings, row, strict=False)}
        try:
            if len(row) > len(headings):
                raise ValueError(f"it has {len(row)} fields, and there are {len(headings)} headings")
            found[number] = _person(fields)
        except ValueError as error:
            faults.append(f"line {number}: {error}")
    return found, faults


def _person(fields: Mapping[str, str]) -> Person:
    given = {key: value for key, value in fields.items() if value}
    mail, word = given.get("mail", ""), given.get("role", "author")
    name = given.get("name") or re.sub(r"[^A-Za-z0-9_-]+", "-", mail.partition("@")[0]).strip("-")
    if mail and _MAIL.fullmatch(mail) is None:
        raise ValueError(f"{mail[:64]!r} is no mail address")
    if not name:
        raise ValueError("name or mail must be given")
    plain_name(name)
    plain_name(given.get("team", name))
    full_name, reference = given.get("full_name", ""), given.get("reference", "")
    for text in (full_name, reference):
        if len(text) > 4 * LONGEST or not text.isprintable():
            raise ValueError(f"{text[:64]!r} is too long, or cannot be printed")
    role = next((each for each in ROLES if each == word), None)
    if role is None:
        raise ValueError(f"{word[:64]!r} is no role; allowed: {', '.join(ROLES)}")
    return Person(name, name, role, given.get("team"), full_name, reference, mail)
