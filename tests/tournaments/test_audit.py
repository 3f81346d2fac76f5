from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sql

from referee.match.clock import Clock
from referee.match.transcript import Choice, Record
from tests.tournaments.fakes import GAME, FakeExecutor, Run, auction_league, bids_high, draws, fails, play_in_process
from tests.tournaments.leagues import SEED
from tournaments import audit, seeding
from tournaments.model import finished
from tournaments.schedule import plan

LEAGUE = auction_league(("ann", "bob"), deals=3)
PLAN = plan(LEAGUE)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    """A league of six matches, the last not yet played, one ended by a fault."""
    with Run(tmp_path, LEAGUE) as run:
        for number, fixture in enumerate(PLAN[:-1]):
            header = seeding.header(LEAGUE, SEED, fixture)
            bots = (draws, fails if number == 2 else draws)
            run.store.save(finished(fixture, play_in_process(GAME, header, Clock(), bots)), 0)
        yield run


def wrong(run: Run) -> dict[str, str]:
    found = dict(audit.differences(GAME, LEAGUE, run.pinned, PLAN, run.store))
    assert found.keys() == {played.fixture for played in run.store.results()}
    return {fixture: difference for fixture, difference in found.items() if difference is not None}


def tamper(tmp_path: Path, fixture: str, record: bytes) -> None:
    """Change a stored record behind the referee's back."""
    engine = sql.create_engine(f"sqlite:///{tmp_path / 'store.sqlite'}")
    with engine.begin() as connection:
        change = sql.text("UPDATE transcript SET record = :record WHERE fixture = :fixture")
        connection.execute(change, {"record": record, "fixture": fixture})
    engine.dispose()


def record_of(run: Run, fixture: str) -> Record:
    transcript = run.store.transcript(fixture)
    assert transcript is not None
    return transcript.record


def test_what_was_played_holds_faults_included(run: Run) -> None:
    assert wrong(run) == {}


def test_a_changed_choice_is_named_and_changes_the_digest(run: Run, tmp_path: Path) -> None:
    before = run.standings().digest
    record = record_of(run, PLAN[1].id)
    first = record.choices[0]
    choices = (Choice(first.seat, (first.index + 1) % 3), *record.choices[1:])
    tamper(tmp_path, PLAN[1].id, msgspec.structs.replace(record, choices=choices).canonical())
    assert run.standings().digest != before
    (named,) = wrong(run)
    assert named == PLAN[1].id


def test_a_changed_outcome_is_named_with_what_it_should_be(run: Run, tmp_path: Path) -> None:
    record = record_of(run, PLAN[0].id)
    outcome = msgspec.structs.replace(record.outcome, places=record.outcome.places[::-1])
    tamper(tmp_path, PLAN[0].id, msgspec.structs.replace(record, outcome=outcome).canonical())
    assert wrong(run)[PLAN[0].id].startswith("outcome: recorded")


def test_a_match_of_another_seed_is_named_although_it_keeps_the_rules(run: Run) -> None:
    header = seeding.header(LEAGUE, bytes(32), PLAN[-1])
    run.store.save(finished(PLAN[-1], play_in_process(GAME, header, Clock(), (draws, draws))), 0)
    assert "is not what the league's seed and plan give" in wrong(run)[PLAN[-1].id]


def test_another_match_by_the_same_rules_is_named(run: Run, tmp_path: Path) -> None:
    header = seeding.header(LEAGUE, SEED, PLAN[0])
    other = play_in_process(GAME, header, Clock(), (bids_high, draws)).record
    assert other.choices != record_of(run, PLAN[0].id).choices
    tamper(tmp_path, PLAN[0].id, other.canonical())
    assert wrong(run) == {
        PLAN[0].id: "its record keeps the rules but is not the one that was stored: the digest is another"
    }


def test_a_record_that_is_written_otherwise_is_named(run: Run, tmp_path: Path) -> None:
    spaced = msgspec.json.format(record_of(run, PLAN[3].id).canonical())
    tamper(tmp_path, PLAN[3].id, spaced)
    assert wrong(run).keys() == {PLAN[3].id}


def test_what_is_no_longer_planned_is_held_to_the_rules(run: Run, tmp_path: Path) -> None:
    with Run(tmp_path, auction_league(("ann", "bob", "cid"), deals=1)) as larger:
        larger.play(FakeExecutor())
    assert wrong(run) == {}
    gone = next(played.fixture for played in run.store.results() if "cid@1" in played.entries)
    record = record_of(run, gone)
    tamper(tmp_path, gone, msgspec.structs.replace(record, choices=record.choices[:-1]).canonical())
    assert wrong(run).keys() == {gone}
