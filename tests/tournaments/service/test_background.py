"""Builds and checks beside a league are done in the background, and no bot pays for that."""

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.core.errors import Busy
from tests.tournaments.leagues import league
from tests.tournaments.workshops import Clock, FakeWorkshop, archive, intake
from tournaments.admission.book import Submission
from tournaments.admission.states import UNDER_WAY
from tournaments.admission.terms import Terms
from tournaments.intake import Intake
from tournaments.model import League
from tournaments.service import background
from tournaments.service.background import PATIENCE_S, Way
from tournaments.submission.workshop import Fails

OPEN = league((), seats=(2,), sandbox="bubblewrap", submissions=Terms(free_mib=0))
_POLICY = 40
"""Where the policy stands in /proc/PID/stat, counted from 0 (proc(5))."""


def policy_of_a_process() -> int:
    """That of a process which is started here."""
    stat = subprocess.run(["cat", "/proc/self/stat"], check=True, capture_output=True, text=True).stdout
    return int(stat.split()[_POLICY])


def policy() -> int:
    """That of this thread and of a process which it starts."""
    ours = os.sched_getscheduler(0)
    assert policy_of_a_process() == ours
    return ours


class Led:
    """A bot that was led to its end.

    Attributes:
        ended: how it stands then.
        told: what was told meanwhile.
        log: what its author finds in the log.
    """

    def __init__(self, ended: Submission, told: str, log: str) -> None:
        self.ended = ended
        self.told = told
        self.log = log


def led(url: str, workshop: FakeWorkshop) -> Led:
    """Lead a bot to its end as the workbench does."""
    told: list[str] = []
    with way(url, workshop) as (opened, leading):
        submission = opened.receive(archive(), "eva", None, 1)
        while submission.state in UNDER_WAY:
            submission = leading.advance(submission, Clock(), told.append)
        log = "\n".join(part.text for part in opened.log(submission))
    return Led(submission, "".join(told), log)


@contextmanager
def way(url: str, workshop: FakeWorkshop) -> Iterator[tuple[Intake, Way]]:
    with intake(url, OPEN, workshop) as opened:
        yield opened, Way(opened, OPEN, lambda _league: workshop)


def failing(what: str, reason: Callable[[], Exception]) -> FakeWorkshop:
    """A workshop in which a step fails whenever it is done in the background."""

    def before(step: str) -> None:
        if step == what and os.sched_getscheduler(0) == os.SCHED_IDLE:
            raise reason()

    return FakeWorkshop(before=before)


def test_builds_and_checks_are_in_the_background_with_all_processes_that_they_start_and_nothing_else_is(
    url: str,
) -> None:
    seen: list[tuple[str, int]] = []
    led(url, FakeWorkshop(before=lambda what: seen.append((what, policy()))))
    assert seen == [("hold", os.SCHED_OTHER), ("build", os.SCHED_IDLE), ("check", os.SCHED_IDLE)]
    assert policy() == os.SCHED_OTHER


def test_the_session_of_the_workbench_stays_behind_during_a_build_and_a_check_and_not_when_it_writes_the_store(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    course: list[str] = []

    @contextmanager
    def staying_behind() -> Iterator[None]:
        course.append("behind")
        yield
        course.append("as usual")

    monkeypatch.setattr(background, "staying_behind", staying_behind)
    led(url, FakeWorkshop(before=course.append))
    assert course == ["hold", "behind", "build", "as usual", "behind", "check", "as usual"]


def test_where_the_system_forbids_the_background_bots_are_built_and_checked_all_the_same(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(*_what: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "sched_setscheduler", forbidden)
    assert led(url, FakeWorkshop()).ended.state == "entered"


@pytest.mark.parametrize("reason", [Fails("it was too slow"), Busy("it was too slow")])
@pytest.mark.parametrize("what", ["build", "check"])
def test_a_bot_that_fails_only_in_the_background_is_entered(url: str, what: str, reason: Exception) -> None:
    seen = led(url, failing(what, lambda: reason))
    assert seen.ended.state == "entered"
    assert "it was too slow\nThis was tried in the background, where time can be short" in seen.told
    assert seen.log == "compiling\nplaying"


@pytest.mark.parametrize(
    ("workshop", "log"),
    [
        (FakeWorkshop(fails_to_build="no compiler"), "compiling\nno compiler"),
        (FakeWorkshop(fails_in_check="it cheats"), "compiling\nplaying\nit cheats"),
    ],
)
def test_a_bot_that_fails_again_is_rejected_for_what_was_seen_the_second_time(
    url: str, workshop: FakeWorkshop, log: str
) -> None:
    seen = led(url, workshop)
    assert (seen.ended.state, seen.log) == ("rejected", log)
    assert seen.told.count(log.splitlines()[-1]) == 2


def test_a_build_that_is_done_again_finds_the_files_as_they_were_submitted(url: str) -> None:
    found: list[list[str]] = []

    class Littering(FakeWorkshop):
        def build(self, folder: Path, tell: Callable[[str], None]) -> dict[str, str]:
            found.append(sorted(place.name for place in folder.iterdir()))
            (folder / "litter").touch()
            if os.sched_getscheduler(0) == os.SCHED_IDLE:
                raise Fails("it was too slow")
            return super().build(folder, tell)

    assert led(url, Littering()).ended.state == "entered"
    assert found == [found[0], found[0]]
    assert "litter" not in found[0]


@pytest.mark.parametrize(
    ("terms", "build_s", "check_s"),
    [
        (None, PATIENCE_S, PATIENCE_S),
        (Terms(build_s=PATIENCE_S - 1, check_s=PATIENCE_S + 1), PATIENCE_S - 1, PATIENCE_S),
    ],
)
def test_nothing_stays_in_the_background_for_longer_than_two_minutes_or_than_the_league_allows(
    url: str, terms: Terms | None, build_s: int, check_s: int
) -> None:
    asked: list[League] = []

    def workshop(which: League) -> FakeWorkshop:
        asked.append(which)
        return FakeWorkshop()

    with intake(url, OPEN, FakeWorkshop()) as opened:
        Way(opened, replace(OPEN, submissions=terms), workshop)
    (found,) = asked
    assert found.submissions is not None
    assert (found.submissions.build_s, found.submissions.check_s) == (build_s, check_s)
    assert replace(found, submissions=terms) == replace(OPEN, submissions=terms)
