from pathlib import Path

import msgspec
import pytest

from referee.match.clock import Clock
from referee.match.transcript import Choice, Record
from tests.tournaments.fakes import (
    GAME,
    Bot,
    FakeExecutor,
    Run,
    auction_league,
    bids_high,
    draws,
    fails,
    play_in_process,
)
from tests.tournaments.leagues import SEED, plan
from tests.tournaments.stores import in_sql
from tournaments import seeding
from tournaments.model import Finished, finished
from tournaments.run import to_read

LEAGUE = auction_league(("ann", "bob"), deals=3)
PLAN = plan(LEAGUE)


class Kept:
    """A league of six matches. The last is not yet played, and one ended by a fault."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.url = f"sqlite:///{folder / 'store.sqlite'}"
        self.keep(*(played(number, fails if number == 2 else draws) for number in range(len(PLAN) - 1)))

    def keep(self, *matches: Finished) -> None:
        with Run(self.folder, LEAGUE) as run:
            run.keep(*matches)

    def wrong(self) -> dict[str, str]:
        with to_read(LEAGUE, self.url) as league:
            found = dict(league.differences(GAME))
            assert found.keys() == {played.fixture for played in league.matches()}
        return {fixture: difference for fixture, difference in found.items() if difference is not None}

    def digest(self) -> str:
        with to_read(LEAGUE, self.url) as league:
            return league.standings().digest

    def record(self, fixture: str) -> Record:
        with to_read(LEAGUE, self.url) as league:
            transcript = league.transcript(fixture)
        assert transcript is not None
        return transcript.record

    def tamper(self, fixture: str, record: bytes) -> None:
        """Change a stored record behind the referee's back."""
        change = "UPDATE transcript SET record = :record WHERE fixture = :fixture"
        in_sql(self.url, change, record=record, fixture=fixture)


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    return Kept(tmp_path)


def played(number: int, second: Bot, seed: bytes = SEED) -> Finished:
    """A match of the plan, by its number. `second` holds its second seat."""
    header = seeding.header(LEAGUE, seed, PLAN[number])
    return finished(PLAN[number], play_in_process(GAME, header, Clock(), (draws, second)))


def test_what_was_played_holds_faults_included(kept: Kept) -> None:
    assert kept.wrong() == {}


def test_a_changed_choice_is_named_and_changes_the_digest(kept: Kept) -> None:
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
    assert kept.wrong()[PLAN[0].id].startswith("outcome: recorded")


def test_a_match_of_another_seed_is_named_although_it_keeps_the_rules(kept: Kept) -> None:
    kept.keep(played(-1, draws, seed=bytes(32)))
    assert "is not what the league's seed and plan give" in kept.wrong()[PLAN[-1].id]


def test_another_match_by_the_same_rules_is_named(kept: Kept) -> None:
    header = seeding.header(LEAGUE, SEED, PLAN[0])
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


def test_what_is_no_longer_planned_is_held_to_the_rules(kept: Kept) -> None:
    with Run(kept.folder, auction_league(("ann", "bob", "cid"), deals=1)) as larger:
        larger.play(FakeExecutor())
        gone = next(played.fixture for played in larger.open.matches() if "cid@1" in played.entries)
    assert kept.wrong() == {}
    record = kept.record(gone)
    kept.tamper(gone, msgspec.structs.replace(record, choices=record.choices[:-1]).canonical())
    assert kept.wrong().keys() == {gone}
