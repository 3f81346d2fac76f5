"""The counts of the store equal those of a season that reads every result."""

from collections.abc import Callable, Mapping, Sequence, Set
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
import sqlalchemy as sql
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.tournaments.leagues import SEED, league, match, plan
from tests.tournaments.schedule.test_suspension import TABLES, leagues
from tests.tournaments.seasons import decided
from tournaments.league.deals import OPEN, ClosedDeals
from tournaments.league.model import FinishedMatch, Fixture, League, StoredMatch, StoredVoid
from tournaments.league.roster import NOTHING_DECIDED, OrganizerDecisions
from tournaments.results.counted_state import CountedState
from tournaments.schedule.counting_rules import LeagueVerdict
from tournaments.schedule.formats import Format
from tournaments.schedule.formats.format import PlayedWaves
from tournaments.schedule.formats.round_robin import EveryGroup, RoundRobin
from tournaments.schedule.formats.wave import Wave
from tournaments.schedule.league_state import LeagueState
from tournaments.store import Store
from tournaments.store.pinned_league import Content

Found = tuple[LeagueVerdict, int, int, int]
Withdrawn = Mapping[int, Set[str]]
NOBODY: Withdrawn = {}


def said(store: Store, gone: Withdrawn) -> OrganizerDecisions:
    """What the store says that the organizer decided, and who was withdrawn in which wave."""
    return replace(store.decisions(), changes=decided(gone=gone).changes)


def counted(store: Store, format_: Format, gone: Withdrawn = NOBODY, closing: ClosedDeals = OPEN) -> Found:
    """The overview: its verdict, voids, voids of a busy machine, and planned fixtures."""

    def read() -> Sequence[tuple[Fixture, StoredMatch]]:
        return season(store, format_, gone, closing).counted()

    with store.counting() as counting:
        found = CountedState(format_, counting, store.voids(), said(store, gone), read, closing)
    return found.verdict(), found.voids, found.busy_voids, len(found.plan)


def season(store: Store, format_: Format, gone: Withdrawn, closing: ClosedDeals) -> LeagueState:
    results = store.results
    return LeagueState(format_, store.offenders(), store.voids(), results, lambda: said(store, gone), closing)


def noted(store: Store, format_: Format, gone: Withdrawn, closing: ClosedDeals) -> Found:
    """The same of a season, of which as many fixtures remain as it says, none of them on a closed deal."""
    found = season(store, format_, gone, closing)
    remaining = [fixture for sitting in found.sittings() for fixture in sitting.fixtures]
    assert len(remaining) == found.verdict().remaining
    if any(wave.deals.stop - wave.deals.start == 1 for wave in found.plan.waves):  # then a wave is a deal
        assert not any(closing.has(fixture.deal) for fixture in remaining)
    assert not (closing.is_whole and remaining)
    return found.verdict(), found.voids, found.busy_voids, len(found.plan)


def fill(store: Store, here: League, luck: Random, done: float, bad: dict[str, float]) -> None:
    """Store the results and voids of a league that was played in any order."""
    store.open_league(here, {entry.name: Content("tree", "built") for entry in here.entries}, SEED, 0)
    matches: list[FinishedMatch] = []
    voids: list[StoredVoid] = []
    for fixture in plan(here):
        failing = [seat for seat, entry in enumerate(fixture.entries) if luck.random() < bad.get(entry, 0)]
        if luck.random() < done:
            matches.append(match(fixture, at_fault=failing[0] if failing else None))
        for _ in range(luck.choice((0, 0, 0, 1, 2, 3, 4))):
            busy = luck.random() < 0.2
            voids.append(StoredVoid(fixture.id, "lost", 0, busy=busy, counts=not busy))
    luck.shuffle(matches)
    store.save(matches, 0, voids)


def changed(here: League, luck: Random) -> League:
    """The league after its file was edited, or as it was."""
    return luck.choice(
        [
            here,
            replace(here, deals=here.deals + 1),
            replace(here, deals=max(1, here.deals - 2)),
            replace(here, entries=here.entries[1:] if len(here.entries) > 2 else here.entries),
            replace(here, entries=league([*"abcd", "ann", "bob"]).entries),
            replace(here, tables=TABLES[:2]),
        ]
    )


class Waves:
    """A format of one deal after another. It asks for the results before each but the first."""

    def __init__(self, here: League) -> None:
        self._league = here

    def wave(self, number: int, so_far: PlayedWaves) -> Wave | None:
        if number >= self._league.deals or (number and not so_far.counted()):
            return None
        return Wave(self._league.game, EveryGroup(self._league), range(number, number + 1))


@pytest.mark.slow
@pytest.mark.parametrize("format_", [RoundRobin, Waves])
@settings(max_examples=settings().max_examples // 4, deadline=None)
@given(
    leagues,
    st.randoms(use_true_random=False),
    st.sampled_from([0.0, 0.3, 0.9, 1.0]),
    st.sampled_from([{}, {"ann@1": 0.9}, {"ann@1": 0.5, "bob@1": 0.3}]),
)
def test_an_overview_says_what_a_season_says(
    format_: Callable[[League], Format], here: League, luck: Random, done: float, bad: dict[str, float]
) -> None:
    with TemporaryDirectory() as folder, Store(f"sqlite:///{folder}/store.sqlite", here.name) as store:
        fill(store, here, luck, done, bad)
        if luck.random() < 0.3:
            deal = luck.choice([0, 0, 1, 2, 9])
            store.reinstate("ann@1", 0, partial(int, deal))
        if luck.random() < 0.3:
            store.retry(lambda: {void.fixture for void in store.voids()})
        after = changed(here, luck)
        gone = luck.choice([{}, {0: {"ann@1"}}, {0: {"bob@1"}, 1: {"ann@1", "bob@1"}}, {2: {"cid@1"}, 9: {"bob@1"}}])
        closing = luck.choice([OPEN, OPEN, ClosedDeals(1), ClosedDeals(2), ClosedDeals(0, 5)])
        assert counted(store, format_(after), gone, closing) == noted(store, format_(after), gone, closing)


def test_an_overview_has_suspensions_and_abandoned_fixtures_to_tell(tmp_path: Path) -> None:
    """Or the property above would say nothing."""
    here = league(("ann", "bob", "cid"), deals=6)
    with Store(f"sqlite:///{tmp_path}/store.sqlite", here.name) as store:
        fill(store, here, Random(3), 0.9, {"ann@1": 0.9})
        verdict, voids, busy, _ = counted(store, RoundRobin(here))
    assert set(verdict.suspensions) == {"ann@1"}
    assert verdict.counted
    assert verdict.skipped
    assert verdict.abandoned
    assert 0 < busy < voids


def test_no_transcript_is_read_and_none_is_counted_that_is_not_there(tmp_path: Path) -> None:
    here = league(("ann", "bob"), deals=4)
    with Store(f"sqlite:///{tmp_path}/store.sqlite", here.name) as store:
        fill(store, here, Random(0), 1.0, {})
        with store._database.writing() as connection:
            connection.exec_driver_sql("UPDATE transcript SET record = x'00'")
            connection.exec_driver_sql("DELETE FROM transcript WHERE fixture LIKE '%/deal-2/%'")
        verdict, *_ = counted(store, RoundRobin(here))
    assert verdict.counted == 6


class DealByDeal(Waves):
    """The same, and it asks for nothing."""

    def wave(self, number: int, so_far: PlayedWaves) -> Wave | None:  # noqa: ARG002 - as if it had been issued
        if number >= self._league.deals:
            return None
        return Wave(self._league.game, EveryGroup(self._league), range(number, number + 1))


def questions(folder: Path, deals: int) -> int:
    """How many statements an overview of so many waves takes, with faults, suspensions and voids."""
    folder.mkdir()
    here = league(("ann", "bob", "cid"), deals=deals)
    asked: list[str] = []
    with Store(f"sqlite:///{folder}/store.sqlite", here.name) as store:
        fill(store, here, Random(3), 1.0, {"ann@1": 0.9})
        voids = store.voids()
        sql.event.listen(store._database.engine, "before_cursor_execute", lambda *found: asked.append(found[2]))
        with store.counting() as counting:
            found = CountedState(DealByDeal(here), counting, voids, NOTHING_DECIDED, list)
    assert len(found.plan.waves) == deals
    assert set(found.verdict().suspensions) == {"ann@1"}
    return len(asked)


def test_the_store_is_asked_as_often_however_many_waves_there_are(tmp_path: Path) -> None:
    assert questions(tmp_path / "few", 8) == questions(tmp_path / "many", 40)
