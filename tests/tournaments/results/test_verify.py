from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sql

from referee.match.terms import Clock, EntryTerms
from referee.match.transcript import Choice, Record, digest_of
from tests.tournaments.fakes import (
    GAME,
    Bot,
    FakeExecutor,
    FakeMachine,
    Run,
    auction_league,
    bids_high,
    draws,
    fails,
    play_in_process,
)
from tests.tournaments.leagues import SEED, plan
from tests.tournaments.stores import in_sql
from tournaments.league import league_seed
from tournaments.league.model import FinishedMatch, finished
from tournaments.play.run import open_run
from tournaments.results.standings import league_digest
from tournaments.results.stored_league import open_results
from tournaments.results.verify import NotPlayed, differences
from tournaments.store.schema import MATCH, SCHEMA, SEAT

LEAGUE = auction_league(("ann", "bob"), deals=3)
PLAN = plan(LEAGUE)


class Kept:
    """A league of six matches. The last is not yet played, and one ended by a fault."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.url = f"sqlite:///{folder / 'store.sqlite'}"
        self.keep(*(played(number, fails if number == 2 else draws) for number in range(len(PLAN) - 1)))

    def keep(self, *matches: FinishedMatch) -> None:
        with Run(self.folder, LEAGUE) as run:
            run.keep(*matches)

    def wrong(self) -> dict[str, str]:
        with open_results(LEAGUE, self.url) as league:
            found = dict(differences(league, GAME))
            assert found.keys() == {played.fixture for played in league.matches()}
        return {fixture: difference for fixture, difference in found.items() if difference is not None}

    def digest(self) -> str:
        with open_results(LEAGUE, self.url) as league:
            return league_digest((played.fixture, played.digest) for _, played in league.state.counted())

    def record(self, fixture: str) -> Record:
        with open_results(LEAGUE, self.url) as league:
            transcript = league.store.transcript(fixture)
        assert transcript is not None
        return transcript.record

    def tamper(self, fixture: str, record: bytes) -> None:
        """Change a stored record behind the referee's back."""
        change = "UPDATE transcript SET record = :record WHERE fixture = :fixture"
        in_sql(self.url, change, record=record, fixture=fixture)


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    return Kept(tmp_path)


def played(number: int, second: Bot, seed: bytes = SEED) -> FinishedMatch:
    """A match of the plan, by its number. `second` holds its second seat."""
    header = league_seed.header(LEAGUE, seed, PLAN[number])
    return finished(PLAN[number], play_in_process(GAME, header, Clock(), (draws, second)))


def test_what_was_played_holds_faults_included(kept: Kept) -> None:
    assert kept.wrong() == {}


def test_a_changed_choice_is_named_and_changes_the_digest_of_what_is_read(kept: Kept) -> None:
    before = kept.digest()
    record = kept.record(PLAN[1].id)
    first = record.choices[0]
    choices = (Choice(first.seat, (first.index + 1) % 3), *record.choices[1:])
    kept.tamper(PLAN[1].id, msgspec.structs.replace(record, choices=choices).canonical())
    assert kept.digest() != before
    (named,) = kept.wrong()
    assert named == PLAN[1].id


def test_a_changed_outcome_is_named_with_what_it_should_be(kept: Kept) -> None:
    record = kept.record(PLAN[0].id)
    outcome = msgspec.structs.replace(record.outcome, places=record.outcome.places[::-1])
    kept.tamper(PLAN[0].id, msgspec.structs.replace(record, outcome=outcome).canonical())
    assert str(kept.wrong()[PLAN[0].id]).startswith("outcome: recorded")


def test_a_match_of_another_seed_is_named_although_it_keeps_the_rules(kept: Kept) -> None:
    kept.keep(played(-1, draws, seed=bytes(32)))
    assert "is not what the league's seed and plan give" in str(kept.wrong()[PLAN[-1].id])


def test_a_match_by_older_rules_is_said_to_be_one(kept: Kept) -> None:
    record = kept.record(PLAN[0].id)
    older = msgspec.structs.replace(record.header, rules_version=GAME.rules_version - 1)
    record = msgspec.structs.replace(record, header=older)
    kept.tamper(PLAN[0].id, record.canonical())
    digest = digest_of(record.canonical())
    in_sql(kept.url, "UPDATE match SET digest = :digest WHERE fixture = :fixture", digest=digest, fixture=PLAN[0].id)
    assert kept.wrong() == {PLAN[0].id: f"of rules version {GAME.rules_version - 1}, which this program does not play"}
    assert isinstance(kept.wrong()[PLAN[0].id], NotPlayed)


def test_another_match_by_the_same_rules_is_named(kept: Kept) -> None:
    header = league_seed.header(LEAGUE, SEED, PLAN[0])
    other = play_in_process(GAME, header, Clock(), (bids_high, draws)).record
    assert other.choices != kept.record(PLAN[0].id).choices
    kept.tamper(PLAN[0].id, other.canonical())
    assert kept.wrong() == {
        PLAN[0].id: "its record keeps the rules but is not the one that was stored: its digest differs"
    }


def test_a_record_that_is_written_otherwise_is_named(kept: Kept) -> None:
    spaced = msgspec.json.format(kept.record(PLAN[3].id).canonical())
    kept.tamper(PLAN[3].id, spaced)
    assert kept.wrong().keys() == {PLAN[3].id}


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"clock": Clock(move_ms=7)}, "its aside has another clock than the league"),
        (
            {"terms": (EntryTerms(), EntryTerms(arguments=("--deep",)))},
            "its aside says that bob@1 was entered with other terms than are pinned",
        ),
    ],
)
def test_a_match_on_other_terms_than_are_pinned_is_named(kept: Kept, changed: dict[str, object], says: str) -> None:
    with open_results(LEAGUE, kept.url) as league:
        transcript = league.store.transcript(PLAN[0].id)
    assert transcript is not None
    aside = msgspec.json.encode(msgspec.structs.replace(transcript.metadata, **changed))
    in_sql(kept.url, "UPDATE transcript SET aside = :aside WHERE fixture = :id", aside=aside, id=PLAN[0].id)
    assert kept.wrong() == {PLAN[0].id: says}


def test_what_is_no_longer_planned_is_held_to_the_rules(kept: Kept) -> None:
    with Run(kept.folder, auction_league(("ann", "bob", "cid"), deals=1)) as larger:
        larger.play(FakeExecutor())
        gone = next(played.fixture for played in larger.open.results.matches() if "cid@1" in played.entries)
    assert kept.wrong() == {}
    record = kept.record(gone)
    kept.tamper(gone, msgspec.structs.replace(record, choices=record.choices[:-1]).canonical())
    assert kept.wrong().keys() == {gone}


SEATS = auction_league(("ann", "bob", "cid"), deals=1, seats=3)
NOT_DERIVED = {"league", "fixture", "seat", "stored_ms"}
"""What a row is found by, and when it was stored."""


def derived(table: sql.Table) -> list[tuple[str, str]]:
    return [(table.name, column.name) for column in table.columns if column.name not in NOT_DERIVED]


@pytest.fixture
def beside(url: str) -> str:
    """The address of a store with a league that was played."""
    with open_run(SEATS, url, FakeMachine(FakeExecutor())) as run:
        assert sum(1 for _ in run.play()) == 3
    return url


def found(url: str) -> dict[str, str | None]:
    with open_results(SEATS, url) as league:
        return dict(differences(league, GAME))


def the_only_one(url: str) -> tuple[str, str]:
    """The fixture that does not hold, and why."""
    ((fixture, why),) = ((fixture, why) for fixture, why in found(url).items() if why)
    assert isinstance(why, str)
    return fixture, why


CHANGED = plan(SEATS)[1].id


@pytest.mark.parametrize(("table", "column"), [*derived(MATCH), *derived(SEAT)])
def test_an_altered_column_beside_a_transcript_is_named(table: str, column: str, beside: str) -> None:
    assert set(found(beside).values()) == {None}
    seat = " AND seat = 2" if table == SEAT.name else ""
    value = "'other'" if SCHEMA.tables[table].c[column].type.compile() == "TEXT" else f"COALESCE({column}, 0) + 1"
    change = f"UPDATE {table} SET {column} = {value} WHERE fixture = :fixture{seat}"  # noqa: S608 - all words are ours
    in_sql(beside, change, fixture=CHANGED)
    fixture, why = the_only_one(beside)
    assert fixture == CHANGED
    where = "seat 2: " if seat else ""
    assert why.startswith(f"{where}{column} is stored as ") or (column, why.rpartition(": ")[2]) == (
        "digest",
        "its digest differs",
    )


def test_a_time_that_the_aside_no_longer_gives_is_named(beside: str) -> None:
    with open_results(SEATS, beside) as league:
        transcript = league.store.transcript(CHANGED)
    assert transcript is not None
    first, *others = transcript.metadata.spent
    spent = (msgspec.structs.replace(first, us=first.us + 5), *others)
    aside = msgspec.json.encode(msgspec.structs.replace(transcript.metadata, spent=spent))
    in_sql(beside, "UPDATE transcript SET aside = :aside WHERE fixture = :fixture", aside=aside, fixture=CHANGED)
    total = transcript.thinking_us[first.seat]
    expected = f"seat {first.seat}: thinking_us is stored as {total}, but its transcript says {total + 5}"
    assert the_only_one(beside) == (CHANGED, expected)


def test_a_missing_seat_is_named(beside: str) -> None:
    in_sql(beside, "DELETE FROM seat WHERE fixture = :fixture AND seat = 1", fixture=CHANGED)
    assert the_only_one(beside) == (CHANGED, "seat 1 is missing")


ONE_MORE_SEAT = """
INSERT INTO seat (league, fixture, seat, entry, place, fault, decisions, thinking_us, tries, tokens)
SELECT league, fixture, 3, entry, place, fault, decisions, thinking_us, tries, tokens FROM seat
WHERE fixture = :fixture AND seat = 0
"""


def test_a_superfluous_seat_is_named(beside: str) -> None:
    in_sql(beside, ONE_MORE_SEAT, fixture=CHANGED)
    assert the_only_one(beside) == (CHANGED, "seat 3 is stored, but its transcript has 3 seats")


def test_rows_without_a_transcript_are_named(beside: str) -> None:
    in_sql(beside, "DELETE FROM transcript WHERE fixture = :fixture", fixture=CHANGED)
    assert the_only_one(beside) == (CHANGED, "its transcript is missing, and other rows of it are there")


def test_a_transcript_without_its_row_is_named(tmp_path: Path) -> None:
    with Run(tmp_path, SEATS) as run:
        run.play(FakeExecutor())
    url = f"sqlite:///{tmp_path / 'store.sqlite'}"  # PostgreSQL would not delete it
    in_sql(url, "DELETE FROM match WHERE fixture = :fixture", fixture=CHANGED)
    assert the_only_one(url) == (CHANGED, "its transcript is there, but its row in the table match is missing")


def test_a_transcript_whose_id_is_no_fixture_is_named(tmp_path: Path) -> None:
    with Run(tmp_path, SEATS) as run:
        run.play(FakeExecutor())
    url = f"sqlite:///{tmp_path / 'store.sqlite'}"
    for change in (
        "UPDATE match SET fixture = 'of nobody' WHERE fixture = :fixture",
        "UPDATE seat SET fixture = 'of nobody' WHERE fixture = :fixture",
        "UPDATE transcript SET fixture = 'of nobody' WHERE fixture = :fixture",
    ):
        in_sql(url, change, fixture=CHANGED)
    assert the_only_one(url) == ("of nobody", "it has a transcript, but its id is not that of a match")
