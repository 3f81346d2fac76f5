"""The rows of an export, as values."""

import csv
import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.outcome import Outcome, Side
from referee.core.text import one_line
from referee.match.transcript import FaultKind, FaultMark
from tournaments.league.deals import OwnDeals
from tournaments.league.model import StoredMatch
from tournaments.results.export_fields import ExportedMatch, SeatRow, cells, exported_match, seat_rows
from tournaments.schedule.league_state import JudgedMatch

NAMES = st.from_regex(r"[A-Za-z0-9_-]{1,4}@[A-Za-z0-9._-]{1,3}", fullmatch=True)
TABLES = st.from_regex(r"[A-Za-z0-9_-]{1,5}", fullmatch=True)
ODD = "=+-@'\"\t\r\n\x00;, aé1_\uff1d\uff0b\u202e\ufeff"
TEXTS = st.text(st.sampled_from(ODD), max_size=5) | st.text(max_size=5)
COUNTS = st.integers(0, 2**40)


@st.composite
def stored(draw: st.DrawFn) -> JudgedMatch:
    """A result of two to four seats, with whatever texts a game may have."""
    seats = draw(st.integers(2, 4))

    def by_seat(values: st.SearchStrategy[Any]) -> tuple[Any, ...]:
        return tuple(draw(st.lists(values, min_size=seats, max_size=seats)))

    entries, names = by_seat(NAMES), draw(st.lists(TEXTS, max_size=seats, unique=True))
    holders = draw(st.lists(st.sampled_from(names or [""]), min_size=seats, max_size=seats))
    sides = tuple(Side(name, tuple(seat for seat in range(seats) if holders[seat] == name)) for name in names)
    scores = by_seat(st.integers(-(2**40), 2**40)) if draw(st.booleans()) else None
    failed = draw(st.sets(st.integers(0, seats - 1)))
    played = StoredMatch(
        fixture=f"game/{draw(TABLES)}/{'+'.join(entries)}/deal-{draw(COUNTS)}/turn-{draw(COUNTS)}",
        digest="digest",
        entries=entries,
        outcome=Outcome(draw(TEXTS), by_seat(st.integers(1, seats)), sides, scores),
        faults=tuple(FaultMark(seat, 1, draw(st.sampled_from(FaultKind))) for seat in sorted(failed)),
        decisions=by_seat(COUNTS),
        thinking_us=by_seat(COUNTS),
        stored_ms=draw(COUNTS),
        tokens=by_seat(COUNTS),
        processor_us=by_seat(st.none() | COUNTS),
    )
    return JudgedMatch(None, draw(st.booleans()), played)


def cost(bot: str, tokens: int, processor_us: int) -> float | None:
    """Some bots have a price."""
    return 2.0 * tokens + processor_us if len(bot) % 2 else None


def written(match: ExportedMatch) -> str:
    file = io.StringIO(newline="")
    csv.writer(file, lineterminator="\n").writerows(cells(row) for row in seat_rows(match))
    return file.getvalue()


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline=""), SeatRow._fields))


@given(stored(), st.sets(NAMES))
def test_the_rows_of_a_match_say_the_same_as_its_line(result: JudgedMatch, remote: set[str]) -> None:
    match = exported_match(result, OwnDeals(remote=remote), cost)
    rows = read(written(match))
    assert len(rows) == len(match.entries)
    for seat, row in enumerate(rows):
        sides = [side.name for side in match.outcome.sides if seat in side.seats]
        faults = [fault.kind.value for fault in match.faults if fault.seat == seat]
        scores = match.outcome.scores
        of_match = (match.fixture, match.table, match.deal, match.own_deal, match.block, match.rotation)
        of_seat = (seat, match.entries[seat], match.outcome.places[seat], *(sides or [""]), *(faults or [""]))
        spent = (match.decisions[seat], match.thinking_us[seat], match.outcome.ending)
        noted = (match.tries[seat] if match.tries else 0, match.tokens[seat] if match.tokens else 0)
        used_us = match.processor_us[seat]
        money = cost(match.entries[seat], noted[1], used_us or 0)
        costs = ("" if used_us is None else used_us, "" if money is None else money)
        end = ("" if scores is None else scores[seat], match.counts, match.same_author, *noted, *costs)
        assert tuple(map(unquoted, row.values())) == tuple(map(in_text, (*of_match, *of_seat, *spent, *end)))


def test_a_match_between_bots_of_one_author_is_marked() -> None:
    outcome = Outcome("", (1, 2), (), None)
    played = StoredMatch("game/t/a@1+b@1/deal-0/turn-0", "", ("a@1", "b@1"), outcome, (), (0, 0), (0, 0), 0, (), ())
    of = JudgedMatch(None, True, played)
    marks = [
        exported_match(of, OwnDeals(), cost, authors).same_author
        for authors in ({"a@1": "ann", "b@1": "ann"}, {"a@1": "ann", "b@1": "bob"}, {})
    ]
    assert marks == [True, False, False]


def unquoted(cell: str) -> str:
    return cell.removeprefix("'")


def in_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return one_line(str(value)).replace("\t", r"\t") if isinstance(value, str) else str(value)


@given(stored())
def test_every_row_is_one_line_and_no_text_begins_a_formula(result: JudgedMatch) -> None:
    match = exported_match(result, OwnDeals(), cost)
    text = written(match)
    assert text.isprintable() or text.replace("\n", "").isprintable()
    assert len(text.split("\n")) == len(match.entries) + 1
    for row in read(text):
        texts = (row[name] for name in ("fixture", "table", "block", "bot", "side", "fault", "ending"))
        assert [each for each in texts if each and not (each[0].isalnum() or each[0] in "_'")] == []


@pytest.mark.parametrize(
    ("ending", "cell"),
    [
        ("caught", "caught"),
        ("¡horda!", "'¡horda!"),
        ('=HYPERLINK("x")', '\'=HYPERLINK("x")'),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", r"'\t=1"),
        ("\r=1", r"'\r=1"),
        ("\n=1", r"'\n=1"),
        ("\uff1d1", "'\uff1d1"),
        ("'=1", "''=1"),
        (" =1", "' =1"),
        ("a\tb\nc", r"a\tb\nc"),
        ("", ""),
        ("_", "_"),
        ("4 rounds", "4 rounds"),
    ],
)
def test_a_text_that_a_spreadsheet_could_take_for_a_formula_begins_with_an_apostrophe(ending: str, cell: str) -> None:
    outcome = Outcome(ending, (1, 2), (Side(ending, (1,)),))
    played = StoredMatch("game/table/a@1+b@1/deal-0/turn-0", "", ("a@1", "b@1"), outcome, (), (1, 1), (1, 1), 0)
    rows = [
        SeatRow._make(cells(row))
        for row in seat_rows(exported_match(JudgedMatch(None, True, played), OwnDeals(), cost))
    ]
    assert [row.ending for row in rows] == [cell] * 2
    assert [row.side for row in rows] == [None, cell]


def test_the_name_of_a_bot_may_begin_with_a_sign_and_a_number_below_zero_stays_a_number() -> None:
    outcome = Outcome("won", (1, 2), (), scores=(-3, 4))
    played = StoredMatch("game/-x/-a@1+b@1/deal-0/turn-0", "", ("-a@1", "b@1"), outcome, (), (1, 1), (1, 1), 0)
    row, _ = read(written(exported_match(JudgedMatch(None, True, played), OwnDeals(), cost)))
    assert (row["table"], row["bot"], row["score"]) == ("'-x", "'-a@1", "-3")


def test_matches_with_the_same_luck_have_the_same_block_and_so_do_the_seatings_of_a_group_with_own_luck() -> None:
    ids = [
        f"game/{table}/{pair}/deal-{deal}/turn-0"
        for table in "st"
        for pair in ("a@1+b@1", "a@1+c@1")
        for deal in (0, 1)
    ]
    outcome = Outcome("won", (1, 2), ())
    results = [StoredMatch(of, "", tuple(of.split("/")[2].split("+")), outcome, (), (1, 1), (1, 1), 0) for of in ids]
    matches = [exported_match(JudgedMatch(None, True, played), OwnDeals(remote={"c@1"}), cost) for played in results]
    assert [match.block for match in matches if "c@1" not in match.entries] == ["deal-0", "deal-1"] * 2
    own = [f"{table}/deal-{deal}/a@1+c@1" for table in "st" for deal in (0, 1)]
    assert [match.block for match in matches if match.own_deal] == own


def test_a_fixture_that_no_league_has_is_refused() -> None:
    played = StoredMatch("agent-avenue/play", "", ("a", "b"), Outcome("won", (1, 2), ()), (), (1, 1), (1, 1), 0)
    with pytest.raises(ValueError, match="'agent-avenue/play' is not the id of a fixture"):
        exported_match(JudgedMatch(None, False, played), OwnDeals(), cost)
