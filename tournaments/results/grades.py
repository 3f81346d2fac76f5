"""Grades: one line for each person of a course, with the bot that counts and what it reached. Pure.

There is no formula for points: that is a column in a spreadsheet.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

import msgspec

from tournaments.league.people import Person
from tournaments.league.service_terms import SubmissionTerms
from tournaments.league.submissions import Submission, SubmissionRegistry
from tournaments.results.crosstable import Crosstable
from tournaments.results.standings import Standing, Standings

NOTE = (
    "The last bot that somebody entered counts, never the best one. beats_X is yes if the 95 % interval of the"
    " difference to X is above 0, and no if it is below. Of 100 bots that equal X, two or three pass by luck. This"
    " holds for one look, after the end of the league."
)
"""What a reader of grades must know."""

_HOUR_MS = 3_600_000
_FORMULA = tuple("=+-@\t\r")
"""Spreadsheets take a cell that begins so for a formula (OWASP, CSV injection)."""


class Grade(msgspec.Struct, frozen=True):
    """What a person reached in a league.

    Attributes:
        person: the person.
        submission: the submission that counts: the last that was entered, or else the last of all; None: there is none.
        late_ms: how late it was received, in milliseconds; 0: in time.
        versions: how many bots the owner has submitted.
        standing: the line of the bot in the standings; None: it has none.
        beats: by baseline, whether the bot is better, as in `NOTE`; None: the results do not say it.
    """

    person: Person
    submission: Submission | None
    late_ms: int
    versions: int
    standing: Standing | None
    beats: dict[str, bool | None]

    @property
    def has_passed(self) -> bool:
        """Whether the bot is better than every baseline; if there is none, nobody passes."""
        return bool(self.beats) and all(self.beats.values())


def grades(
    people: Iterable[Person],
    registry: SubmissionRegistry,
    terms: Mapping[str, SubmissionTerms],
    standings: Standings,
    crosstable: Crosstable,
    baselines: Sequence[str],
) -> list[Grade]:
    """The grades of all persons, also of those who submitted nothing, by name.

    Args:
        people: the persons of the course.
        registry: what was submitted to the league.
        terms: by owner, until when the league takes bots.
        standings: the table of the league.
        crosstable: the bots against each other.
        baselines: the bots that others should beat.
    """
    lines = {line.bot: line for line in standings.standings}
    intervals = {(pair.bot, pair.against): pair.interval for pair in crosstable.pairs}
    found = []
    for person in sorted(people, key=lambda each: each.name):
        own = [each for each in registry.submissions if each.author in person.owners]
        counting = _counting(own)
        late_ms = 0 if counting is None else terms[counting.author].late_by_ms(counting.received_ms)
        bot = "" if counting is None else counting.entry
        beats = {each: _is_above(intervals.get((bot, each))) for each in baselines}
        sent = sum(not each.carried for each in own)
        found.append(Grade(person, counting, late_ms, sent, lines.get(bot), beats))
    return found


def _counting(own: Sequence[Submission]) -> Submission | None:
    entered = [each for each in own if each.state == "entered"]
    return max(entered or own, key=lambda each: (each.received_ms, each.number), default=None)


def _is_above(interval: tuple[float, float] | None) -> bool | None:
    if interval is None or interval[0] <= 0 <= interval[1]:
        return None
    return interval[0] > 0


def csv_of(found: Sequence[Grade], baselines: Sequence[str]) -> str:
    """The grades as CSV: a line of headings, then a line for each person. Cells are no formulas for a spreadsheet."""
    output = io.StringIO()
    table = csv.writer(output, lineterminator="\n")
    table.writerow([*_HEADINGS, *(f"beats_{name}" for name in baselines)])
    for each in found:
        table.writerow(map(_cell, _fields(each)))
    return output.getvalue()


_HEADINGS = (
    *("reference", "full_name", "mail", "team", "name", "entry", "state", "received", "late_h", "versions"),
    *("rank", "rating", "low", "high", "matches", "score", "faults", "passed"),
)


def _fields(grade: Grade) -> Iterator[object]:
    person, sent, line = grade.person, grade.submission, grade.standing
    yield from (person.reference, person.full_name, person.mail, person.team or "", person.display_name)
    yield from ("", "nothing", "") if sent is None else (sent.entry, sent.state, _moment(sent.received_ms))
    yield from (f"{grade.late_ms / _HOUR_MS:.1f}" if grade.late_ms else "", grade.versions)
    if line is None:
        yield from [""] * 7
    else:
        low, high = line.interval or ("", "")
        yield from (line.rank, *map(_number, (line.rating, low, high)), line.matches, _number(line.score), line.faults)
    yield _word(grade.has_passed) if grade.beats else ""
    yield from map(_word, grade.beats.values())


def _moment(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="seconds")


def _number(value: float | str | None) -> float | str:
    return round(value, 3) if isinstance(value, float) else value or ""


def _word(holds: bool | None) -> str:
    return "" if holds is None else "yes" if holds else "no"


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
