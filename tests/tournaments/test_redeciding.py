"""The waves of a league are decided again by `league verify`: nothing is noted unless something was changed."""

import contextlib
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from tests.tournaments.fakes import GAME, FakeExecutor, Run, Stopped, auction_league, bids_high, fails_in
from tests.tournaments.stores import in_sql
from tournaments.formats.issue import Issue
from tournaments.formats.redeciding import differences
from tournaments.formats.wave import LineUp
from tournaments.kept import NotAbandoned, to_read
from tournaments.model import Entry, League
from tournaments.settings import Balanced, Knockout, Open, Settings, Swiss
from tournaments.store import Store

NAMES = ("ann", "bob", "cid", "dan", "eve", "fay", "gus")
BOTS = {"ann@1": bids_high}
DECIDING: list[Settings] = [Swiss(rounds=4), Knockout(), Open(matches=80)]
LATER_MS = 1_000_000
ZOE = Entry("zoe@1", "/bots/zoe")


def kind(settings: Settings) -> str:
    return type(settings).__name__.lower()


def league(settings: Settings, deals: int = 2) -> League:
    return replace(auction_league(NAMES, deals), format=settings)


def url(folder: Path) -> str:
    return f"sqlite:///{folder / 'store.sqlite'}"


def notes(folder: Path, planned: League) -> list[str]:
    with to_read(planned, url(folder)) as kept:
        assert {wrong for _, wrong in kept.differences(GAME)} <= {None}
        return kept.notes()


def issues(folder: Path, planned: League) -> list[Issue]:
    with Store(url(folder), planned.name) as store:
        return store.issues()


def change_wave(folder: Path, number: int, wave: Issue) -> None:
    in_sql(
        url(folder),
        "UPDATE issue SET wave = :wave WHERE number = :number",
        wave=msgspec.json.encode(wave).decode(),
        number=number,
    )


@pytest.mark.parametrize("settings", DECIDING, ids=kind)
def test_nothing_is_noted_of_a_league_with_stops_voids_faults_and_a_changing_roster(
    tmp_path: Path, settings: Settings
) -> None:
    planned = league(settings)
    loses = lambda fixture, attempt: sum(fixture.id.encode()) % 11 == 0  # noqa: ARG005, E731 - one fixture in eleven
    with Run(tmp_path, planned) as run, contextlib.suppress(Stopped):
        run.play(FakeExecutor(BOTS | {"bob@1": fails_in(100)}, loses=loses, stops_after=20))
    assert notes(tmp_path, planned) == []
    with to_read(planned, url(tmp_path)) as kept:
        if not isinstance(settings, Knockout):  # nobody joins one that has begun
            kept.enter(ZOE, now_ms=5)
        kept.withdraw("fay@1", now_ms=6)
    with Run(tmp_path, planned) as run:
        run.play(FakeExecutor(BOTS | {"bob@1": fails_in(100)}, loses=loses))
        assert run.open.is_over
    assert len(issues(tmp_path, planned)) > 2
    assert notes(tmp_path, planned) == []


def test_a_bot_that_was_reinstated_later_was_suspended_when_earlier_waves_were_decided(tmp_path: Path) -> None:
    planned = league(Swiss(rounds=6), deals=6)
    bots = BOTS | {"bob@1": fails_in(100)}
    with Run(tmp_path, planned) as run, contextlib.suppress(Stopped):
        run.play(FakeExecutor(bots, stops_after=100))
        assert "bob@1" in run.open.season.suspensions
    decided = len(issues(tmp_path, planned))
    with to_read(planned, url(tmp_path)) as kept:
        kept.reinstate("bob@1", now_ms=LATER_MS)
    with Run(tmp_path, planned, started_ms=LATER_MS) as run:
        run.play(FakeExecutor(BOTS))
    assert len(issues(tmp_path, planned)) > decided
    assert notes(tmp_path, planned) == []


def test_a_match_that_was_taken_up_again_was_not_known_when_earlier_waves_were_decided(tmp_path: Path) -> None:
    planned = league(Swiss(rounds=4))
    loses = lambda fixture, attempt: "deal-0" in fixture.id and "ann" in fixture.id  # noqa: ARG005, E731 - in wave 1
    with Run(tmp_path, planned) as run, contextlib.suppress(Stopped):
        run.play(FakeExecutor(BOTS, loses=loses, stops_after=20))
        assert run.open.season.verdict().abandoned
    assert notes(tmp_path, planned) == []
    in_sql(url(tmp_path), "UPDATE league SET closed_deals = 0")  # an earlier Referee closed no deals
    with to_read(planned, url(tmp_path)) as kept:
        assert kept.retry()
    assert notes(tmp_path, planned) == []
    with Run(tmp_path, planned, started_ms=LATER_MS) as run:
        run.play(FakeExecutor(BOTS))
        assert not run.open.season.verdict().abandoned
    assert notes(tmp_path, planned) == []


def test_a_changed_wave_is_named_with_what_differs_and_the_matches_hold(tmp_path: Path) -> None:
    planned = league(Swiss(rounds=3))
    with Run(tmp_path, planned) as run:
        run.play(FakeExecutor(BOTS))
    second = issues(tmp_path, planned)[1]
    change_wave(tmp_path, 1, replace(second, byes=()))
    note, *_ = notes(tmp_path, planned)  # the byes of the next wave follow from those of this one
    assert note == f"wave 2: its byes would be {second.byes[0]}, not none"


def test_other_keys_of_the_format_give_other_decisions(tmp_path: Path) -> None:
    planned = league(Open(matches=80))
    with Run(tmp_path, planned) as run:
        run.play(FakeExecutor(BOTS))
    other = replace(planned, format=Open(matches=80, random=0.5))
    assert notes(tmp_path, planned) == []
    assert any("line-ups would not be played" in note for note in notes(tmp_path, other))


def test_a_roster_with_a_withdrawn_bot_is_named(tmp_path: Path) -> None:
    planned = league(Swiss(rounds=3))
    with Run(tmp_path, planned) as run:
        run.play(FakeExecutor(BOTS))
    in_sql(
        url(tmp_path),
        "INSERT INTO change (number, league, name, entry, waves, stored_ms) VALUES (1, :league, 'gus@1', NULL, 1, 0)",
        league=planned.name,
    )
    shorter = replace(planned, entries=planned.entries[:-1])
    assert "wave 2: its roster has gus@1, withdrawn before it was decided" in notes(tmp_path, shorter)


def test_a_match_that_was_abandoned_is_not_taken_up_again_when_its_wave_has_ended(tmp_path: Path) -> None:
    planned = league(Swiss(rounds=4))
    loses = lambda fixture, attempt: "deal-0" in fixture.id and "ann" in fixture.id  # noqa: ARG005, E731 - in wave 1
    with Run(tmp_path, planned) as run:
        run.play(FakeExecutor(BOTS, loses=loses))
        abandoned = run.open.season.verdict().abandoned
    with to_read(planned, url(tmp_path)) as kept:
        assert kept.retry() == 0
        with pytest.raises(NotAbandoned):
            kept.retry([abandoned[0].id])
    with Run(tmp_path, planned) as run:
        run.play(FakeExecutor(BOTS))
        assert run.open.season.verdict().abandoned == abandoned
    assert notes(tmp_path, planned) == []


def test_waves_after_matches_that_are_missing_are_said_to_be_decided_otherwise(tmp_path: Path) -> None:
    planned = league(Swiss(rounds=3))
    with Run(tmp_path, planned) as run:
        run.play(FakeExecutor(BOTS))
    for change in ("DELETE FROM transcript WHERE {0}", "DELETE FROM seat WHERE {0}", "DELETE FROM match WHERE {0}"):
        in_sql(url(tmp_path), change.format("fixture LIKE '%/deal-0/%' OR fixture LIKE '%/deal-1/%'"))  # wave 1
    assert notes(tmp_path, planned)


def test_other_formats_decide_nothing(tmp_path: Path) -> None:
    planned = league(Balanced(matches=8))
    with Run(tmp_path, planned) as run:
        run.play(FakeExecutor(BOTS))
    assert notes(tmp_path, planned) == []


AB, CD, EF = (LineUp("t", pair, 0) for pair in (("a", "b"), ("c", "d"), ("e", "f")))
STORED = Issue(("a", "b", "c", "d"), (AB, CD), 4, 2, ("e",))


@pytest.mark.parametrize(
    ("again", "said"),
    [
        (STORED, []),
        (replace(STORED, line_ups=(CD, AB)), ["its line-ups would be played in another order"]),
        (replace(STORED, line_ups=(AB, EF)), ["1 of its 2 line-ups would not be played, and 1 others would"]),
        (replace(STORED, deals=3), ["it would play deals 4 to 6, not deals 4 to 5"]),
        (replace(STORED, first_deal=5), ["it would play deals 5 to 6, not deals 4 to 5"]),
        (replace(STORED, byes=()), ["its byes would be none, not e"]),
    ],
)
def test_every_difference_is_a_sentence(again: Issue, said: list[str]) -> None:
    assert list(differences(STORED, again)) == said
