"""What stays and what is lost when a bot leaves a league: by the format, by who wants it, and by how far it is."""

import contextlib
import re
from pathlib import Path

import pytest

from tests.tournaments.fakes import FakeExecutor, Run, Stopped, bids_high
from tests.tournaments.play.test_waves import ZOE, kind, league, rounds_of_swiss, url
from tournaments.league.format_settings import (
    BalancedSettings,
    GauntletSettings,
    KnockoutSettings,
    OpenSettings,
    Settings,
    SwissSettings,
)
from tournaments.league.model import League
from tournaments.results.computed_tables import NoRounds, league_rounds, league_standings
from tournaments.results.organizer_actions import TooLate, enter_bot, leaving_of, lost_matches, withdraw_bot
from tournaments.results.progress import is_league_over, league_moment
from tournaments.results.stored_league import StoredLeague, open_results
from tournaments.schedule.leaving import LOSSES, ActorKind, LeagueMoment, LeavingRefused, Phase

ISSUING: list[Settings] = [SwissSettings(rounds=3), KnockoutSettings(), OpenSettings(matches=60)]
PLANNED: list[Settings] = [BalancedSettings(), BalancedSettings(matches=8), GauntletSettings(("ann", "cid@1"))]
BOTS = {"ann@1": bids_high}
PHASES: tuple[Phase, ...] = ("not begun", "under way", "between waves", "over")


def played(folder: Path, planned: League, matches: int | None = None) -> None:
    """Play a league, or so many matches of it."""
    with Run(folder, planned) as run, contextlib.suppress(Stopped):
        run.play(FakeExecutor(BOTS, stops_after=matches))


def first_wave(folder: Path, planned: League) -> int:
    """How many matches the first wave has. Nothing is played."""
    with Run(folder, planned) as run:
        return len(run.open.results.state.plan.waves[0])


def counted(results: StoredLeague) -> list[str]:
    return [fixture.id for fixture, _ in results.state.counted()]


def told(results: StoredLeague) -> tuple[object, list[str]]:
    """All that a league says of its complete waves: its rounds, if it has any, and which matches count."""
    with contextlib.suppress(NoRounds):
        return league_rounds(results), counted(results)
    return None, counted(results)


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("who", ["author", "organizer"])
@pytest.mark.parametrize("by_results", [True, False])
def test_leaving_follows_the_table_and_what_the_table_lacks_is_refused(
    by_results: bool, who: ActorKind, phase: Phase
) -> None:
    moment = LeagueMoment(by_results, phase, 3 if phase == "under way" else None)
    loss = LOSSES.get((by_results, who, phase))
    if loss is None:
        with pytest.raises(LeavingRefused, match="is over" if phase == "over" else "only the organizer"):
            moment.leaving("ann@1", who)
    else:
        leaving = moment.leaving("ann@1", who)
        assert (leaving.loss, leaving.wave) == (loss, 3 if phase == "under way" else None)


def test_the_page_of_formats_has_the_same_table() -> None:
    page = (Path(__file__).parents[3] / "docs" / "formats.md").read_text()
    rows = re.findall(
        r"^\| `(swiss|round-robin)`, .* \| (?:its|the) (author|organizer) \| (.*) \|$", page, re.MULTILINE
    )
    told = {
        (kind == "swiss", who, phase): loss.strip()
        for kind, who, losses in rows
        for phase, loss in zip(PHASES, losses.split("|"), strict=True)
        if loss.strip() not in {"refused", ""}
    }
    assert told == LOSSES


@pytest.mark.parametrize("settings", [*ISSUING, *PLANNED], ids=kind)
def test_nobody_leaves_a_league_that_is_over_and_it_says_what_it_said(tmp_path: Path, settings: Settings) -> None:
    planned = league(settings)
    played(tmp_path, planned)
    with open_results(planned, url(tmp_path)) as results:
        before = told(results)
        assert league_moment(results).phase == "over"
        with pytest.raises(LeavingRefused, match="the league is over"):
            withdraw_bot(results, "fay@1", now_ms=5)
    with open_results(planned, url(tmp_path)) as results:
        assert told(results) == before


@pytest.mark.parametrize("settings", ISSUING, ids=kind)
def test_who_leaves_between_two_waves_changes_nothing_about_the_complete_one(
    tmp_path: Path, settings: Settings
) -> None:
    planned = league(settings)
    matches = first_wave(tmp_path, planned)
    with Run(tmp_path, planned) as run:
        run.machine.now = executor = FakeExecutor(BOTS)
        assert len(list(run.open.play(lambda: len(executor.started) == matches))) == matches
    with open_results(planned, url(tmp_path)) as results:
        assert league_moment(results).phase == "between waves"
        before = told(results)
        withdraw_bot(results, "ann@1", now_ms=5)
    with open_results(planned, url(tmp_path)) as results:
        assert told(results) == before
    played(tmp_path, planned)
    with open_results(planned, url(tmp_path)) as results:
        assert counted(results)[:matches] == before[1]
        later = [fixture for fixture in results.state.plan if fixture.deal >= 2]
        assert later
        assert not [fixture for fixture in later if "ann@1" in fixture.entries]


def test_who_leaves_a_round_of_a_swiss_changes_nothing_about_the_rounds_before(tmp_path: Path) -> None:
    planned = league(SwissSettings(rounds=3))
    played(tmp_path, planned, first_wave(tmp_path, planned) + 1)
    with open_results(planned, url(tmp_path)) as results:
        assert league_moment(results) == LeagueMoment(by_results=True, phase="under way", wave=1)
        before = rounds_of_swiss(results)
        assert any(line.byes for line in before)
        for name in ("ann@1", "bob@1"):
            withdraw_bot(results, name, now_ms=5)
    with open_results(planned, url(tmp_path)) as results:
        assert rounds_of_swiss(results) == before


@pytest.mark.parametrize("settings", ISSUING[:2], ids=kind)
def test_nobody_enters_a_league_in_which_no_wave_follows(tmp_path: Path, settings: Settings) -> None:
    planned = league(settings)
    played(tmp_path, planned)
    with open_results(planned, url(tmp_path)) as results, pytest.raises(TooLate):
        enter_bot(results, ZOE, now_ms=5)


@pytest.mark.parametrize("settings", [ISSUING[1], PLANNED[1]], ids=kind)
def test_nobody_enters_a_league_whose_plan_is_for_the_bots_with_which_it_began(
    tmp_path: Path, settings: Settings
) -> None:
    planned = league(settings)
    first_wave(tmp_path, planned)
    played(tmp_path, planned, 1)
    with open_results(planned, url(tmp_path)) as results:
        with pytest.raises(TooLate, match="nobody enters the league any more: no other bot fits"):
            enter_bot(results, ZOE, 5)
        assert ZOE not in results.league.entries


@pytest.mark.parametrize("settings", PLANNED, ids=kind)
def test_of_a_planned_league_all_matches_of_the_others_stay_when_the_organizer_takes_a_bot_out(
    tmp_path: Path, settings: Settings
) -> None:
    planned = league(settings)
    played(tmp_path, planned, 20)
    with open_results(planned, url(tmp_path)) as results:
        before = [fixture for fixture, _ in results.state.counted()]
        leaving = leaving_of(results, "fay@1")
        lost = lost_matches(results, leaving)
        assert next(iter(lost)) == "fay@1"
        assert lost["fay@1"] == sum("fay@1" in fixture.entries for fixture in before)
        assert sum(lost.values()) == 2 * lost["fay@1"]
        assert withdraw_bot(results, "fay@1", now_ms=5) == leaving
    with open_results(planned, url(tmp_path)) as results:
        assert counted(results) == [fixture.id for fixture in before if "fay@1" not in fixture.entries]
        assert "fay@1" not in [line.bot for line in league_standings(results).standings]
    played(tmp_path, planned)
    with open_results(planned, url(tmp_path)) as results:
        assert is_league_over(results)
        assert not [name for name in counted(results) if "fay@1" in name]


def test_a_bot_that_left_before_anything_was_played_is_not_planned_for(tmp_path: Path) -> None:
    planned = league(BalancedSettings(matches=8))
    first_wave(tmp_path, planned)
    with open_results(planned, url(tmp_path)) as results:
        assert withdraw_bot(results, "fay@1", now_ms=5).wave is None
    with open_results(planned, url(tmp_path)) as results:
        assert not [fixture for fixture in results.state.plan if "fay@1" in fixture.entries]
