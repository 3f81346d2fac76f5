"""A server takes in a league file that has changed, and one that is wrong changes nothing."""

import os
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.runtime.rogues import eventually
from tests.tournaments.arena import write_league
from tests.tournaments.web.service.running import QUICK, Serving, serving, token_of
from tests.tournaments.workshops import archive
from tournaments.play.environment import LocalEnvironment
from tournaments.results.league_location import past_league
from tournaments.store import StoreAway
from tournaments.web.client.submit import MEDIA, followed
from tournaments.web.service import serve
from tournaments.web.service.serve import LeagueFiles
from tournaments.web.service.worker_messages import ServedLeague
from tournaments.web.visibility.entry_view import SubmissionView

OPEN = 'sandbox = "landlock"\n[submissions]\nfree_mib = 0\n[service]\n'


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write_league(tmp_path / "autumn.toml", [], deals=2, more=OPEN)


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def files(file: Path, told: list[str]) -> Iterator[LeagueFiles]:
    served = [ServedLeague(str(file), *past_league(file, None))]
    with closing(LeagueFiles(served, LocalEnvironment(), told.append)) as files:
        files.open()
        yield files


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def test_a_good_file_is_taken_in_by_the_same_object_and_an_unchanged_one_changes_nothing(
    file: Path, files: LeagueFiles, told: list[str]
) -> None:
    service = files.services["autumn"]
    assert files.look() == []
    change(file, "deals = 2", "deals = 2 # two")
    assert (files.look(), told) == ([], [])
    change(file, "free_mib = 0", "free_mib = 0\ncloses = 2026-02-01T00:00:00Z")
    ((old, new),) = files.look()
    assert files.services["autumn"] is service
    assert service.league == new != old
    assert list(service.admission("eva").refusals) == ["the league takes no more submissions (closes in [submissions])"]
    assert service.to(None).league().closes_ms == 1_769_904_000_000
    assert told == [f"{file} has changed; autumn is served by it"]
    assert files.look() == []


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("deals = 2", "deals = two", "autumn.toml: is not TOML: Invalid value (at line 3, column 9)"),
        ("deals = 2", "deals = 0", "autumn.toml: deals: should be greater than or equal to 1, not 0"),
        ('name = "autumn"', 'name = "spring"', "name and store stay while a league is served"),
        ("deals = 2", 'deals = 2\nstore = "other.sqlite"', "name and store stay while a league is served"),
        ('seed = "7"', 'seed = "8"', "seed"),
    ],
)
def test_a_wrong_file_changes_nothing_and_the_organizer_sees_what_is_wrong_until_it_is_right(
    file: Path, files: LeagueFiles, told: list[str], old: str, new: str, problem: str
) -> None:
    service, before = files.services["autumn"], file.read_text()
    league = service.league
    change(file, old, new)
    assert files.look() == []
    assert service.league is league
    operation = service.to("organizer").operation()
    assert operation is not None
    assert problem in "; ".join(operation.file_problems)
    assert service.to("eva").operation() is None
    (said,) = told
    assert said.startswith(f"{file} is not taken in, and autumn is served as before: ")
    assert problem in said
    assert files.look() == []
    assert len(told) == 1, "it is said once"
    file.write_text(before)
    assert files.look() == []
    assert told[1:] == [f"{file} is right again"]
    assert service.to("organizer").operation().file_problems == ()  # type: ignore[union-attr] # the organizer sees it


def test_a_file_that_is_gone_changes_nothing(file: Path, files: LeagueFiles, told: list[str]) -> None:
    file.unlink()
    assert files.look() == []
    assert len(told) == 1


def test_a_store_that_is_away_is_tried_again_although_the_file_stays(
    file: Path, files: LeagueFiles, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> None:
        raise StoreAway("the store is away")

    change(file, "deals = 2", "deals = 3")
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(serve, "open_league_service", away)
        assert (files.look(), files.look()) == ([], [])
    assert len(told) == 1
    ((_, new),) = files.look()
    assert new.deals == 3


def test_requests_that_began_before_a_change_are_answered(file: Path, files: LeagueFiles) -> None:
    showing = files.services["autumn"].to(None)
    change(file, "deals = 2", "deals = 3")
    assert len(files.look()) == 1
    assert showing.league().deals == 2
    assert files.services["autumn"].to(None).league().deals == 3


@pytest.mark.submissions
def test_a_served_league_is_reloaded_by_a_signal_and_its_processes_go_on_with_the_new_file(file: Path) -> None:
    token = token_of("eva", file)
    with serving(file, QUICK) as here:
        before = pids(here)
        change(file, "free_mib = 0", "free_mib = 0\nentries = 7")
        here.process.send_signal(signal.SIGHUP)
        assert eventually(lambda: not (pids(here) & before) and len(pids(here)) == 2), here.said
        assert any("autumn.toml has changed; autumn is served by it" in line for line in here.said)
        assert not any("started again" in line for line in here.said)
        sent = here.line(token).send(SubmissionView, archive("bee"), MEDIA, "submissions")
        assert followed(here.line(token), sent.number, lambda _text: None) == "entered"
        change(file, "deals = 2", "deals = none")
        here.process.send_signal(signal.SIGHUP)
        assert eventually(lambda: any("is not taken in, and autumn is served as before" in line for line in here.said))
        before = pids(here)
        for pid in before:
            os.kill(pid, signal.SIGKILL)
        assert eventually(lambda: not (pids(here) & before) and len(pids(here)) == 2), "they do without the wrong file"
        sent = here.line(token).send(SubmissionView, archive("ant"), MEDIA, "submissions")
        assert followed(here.line(token), sent.number, lambda _text: None) == "entered"
        assert here.stop() == 0


def pids(here: Serving) -> set[int]:
    return {*here.children("quick_bench"), *here.children("table_refresher")}
