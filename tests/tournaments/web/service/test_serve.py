"""`referee serve` as a process: killed at any moment, used by many at once, stopped."""

import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from referee.core.errors import UserError
from tests.runtime.rogues import eventually
from tests.tournaments.arena import alive, write_league
from tests.tournaments.web.service.running import CA, QUICK, Serving, serving, token_of
from tests.tournaments.workshops import archive
from tournaments.league.submissions import UNDER_WAY
from tournaments.results.league_location import league_in
from tournaments.store import Store
from tournaments.web.client.address import address
from tournaments.web.client.http_client import LeagueClient, RequestRefused, ServiceUnreachable
from tournaments.web.client.submit import MEDIA, followed, mine
from tournaments.web.visibility.entry_view import AccountView, SubmissionView

Tell = Callable[[str, Mapping[str, object]], None]

TERMS = "[submissions]\nfree_mib = 0\nentries = 1_000\na_day = 1_000\n[service]\nrequests = 100_000\n"
KILLS = int(os.environ.get("REFEREE_TEST_KILLS", "30"))


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write_league(tmp_path / "autumn.toml", [], deals=2, more=f'sandbox = "landlock"\n{TERMS}')


def sent(line: LeagueClient, version: str, more: bytes = b"") -> SubmissionView:
    return line.send(SubmissionView, archive("bee", version, more), MEDIA, "submissions")


def states(file: Path) -> dict[str, str]:
    """By entry, in which state it is, as the store says."""
    league = league_in(file)
    with Store(f"sqlite:///{file.stem}.sqlite", league.name) as store:
        return {each.entry: each.state for each in store.submissions.registry(league).submissions}


@pytest.mark.submissions
@pytest.mark.timeout(3000)
def test_a_server_killed_at_any_moment_leaves_each_submission_received_finished_or_not_there(
    file: Path, tell: Tell
) -> None:
    luck = random.Random(7)
    token, counted = token_of("eva", file), Counter[str]()
    confirmed: set[str] = set()

    def submit_many(here: Serving, number: int) -> None:
        for each in range(100):
            version = f"{number}.{each}"
            try:
                confirmed.add(sent(here.line(token), version).bot)
            except ServiceUnreachable:
                return

    for number in range(KILLS):
        with serving(file, QUICK) as here:
            author = threading.Thread(target=submit_many, args=(here, number))
            author.start()
            time.sleep(luck.uniform(0.0, 3.0))
            here.kill()
            author.join()
        found = states(file)
        assert confirmed <= set(found)
        assert set(found.values()) <= {*UNDER_WAY, "entered"}
        counted["killed"] += 1
        counted["left under way"] += sum(state in UNDER_WAY for state in found.values())
    with serving(file, QUICK) as here:
        until_s = time.monotonic() + 600
        while any(state in UNDER_WAY for state in states(file).values()):
            assert time.monotonic() < until_s
            time.sleep(0.2)
        assert here.stop() == 0
    assert set(states(file).values()) == {"entered"}
    assert alive(file.parent) == []
    tell("servers", {**counted, "submissions entered in the end": len(states(file)), "confirmed": len(confirmed)})


@pytest.mark.submissions
@pytest.mark.timeout(3000)
def test_of_200_uploads_at_once_each_is_received_or_refused_by_quota_in_bounded_memory(file: Path, tell: Tell) -> None:
    file.write_text(file.read_text().replace("a_day = 1_000", "a_day = 8"))
    tokens = {f"author-{number}": token_of(f"author-{number}", file) for number in range(20)}
    luck = random.Random(3)
    with serving(file, QUICK) as here:
        here.line().file()
        idle_mib = here.memory_mib("VmRSS")

        def upload(number: int) -> str:
            author = f"author-{number % 20}"
            more = b"#" + luck.randbytes(400_000).hex().encode()
            packed = archive(author, str(number // 20), more)
            for _ in range(3000):
                try:
                    return here.line(tokens[author]).send(SubmissionView, packed, MEDIA, "submissions").state
                except RequestRefused as refused:
                    return str(refused).removeprefix(author)
                except ServiceUnreachable:  # too many arrive at once
                    time.sleep(0.1)
            return "never taken"

        with ThreadPoolExecutor(200) as pool:
            found = Counter(pool.map(upload, range(200)))
        assert found == {"received": 160, " has submitted 8 times within a day; try again tomorrow": 40}

        def follow(author: str) -> str:
            line = here.line(tokens[author])
            return followed(line, next(mine(line)).number, lambda _text: None)

        with ThreadPoolExecutor(20) as pool:
            assert Counter(pool.map(follow, tokens)) == {"entered": 20}
        grown_mib = here.memory_mib() - idle_mib
    assert grown_mib <= 100
    tell("uploads", {**found, "MiB above idle": round(grown_mib)})


@pytest.mark.submissions
def test_uploads_that_are_refused_one_after_the_other_leave_no_memory_behind(file: Path, tell: Tell) -> None:
    file.write_text(file.read_text().replace("a_day = 1_000", "a_day = 1"))
    token = token_of("eva", file)
    packed = archive("eva", "1", b"#" + random.Random(3).randbytes(400_000).hex().encode())
    with serving(file, QUICK) as here:
        here.line(token).send(SubmissionView, packed, MEDIA, "submissions")
        idle_mib = here.memory_mib("VmRSS")
        for _ in range(200):
            with pytest.raises(RequestRefused, match="has submitted"):
                here.line(token).send(SubmissionView, packed, MEDIA, "submissions")
        grown_mib = here.memory_mib() - idle_mib
    assert grown_mib <= 40
    tell("200 refused uploads", {"MiB above idle": round(grown_mib)})


@pytest.mark.submissions
def test_a_workbench_and_a_clerk_that_are_killed_are_started_again_and_the_work_goes_on(file: Path) -> None:
    token = token_of("eva", file)
    with serving(file, QUICK) as here:
        for round_ in range(3):
            seen = sent(here.line(token), str(round_))
            for module in ("quick_bench", "table_refresher"):
                for pid in here.children(module):
                    os.kill(pid, signal.SIGKILL)
            assert followed(here.line(token), seen.number, lambda _text: None) == "entered"
        assert any("ended with code -9; it is started again" in line for line in here.said)
        assert here.stop() == 0


@pytest.mark.slow
@pytest.mark.process
def test_a_course_is_served_with_all_its_leagues_and_one_account_for_them(file: Path) -> None:
    write_league(file.with_name("winter.toml"), [], deals=2, more=f'sandbox = "landlock"\n{TERMS}')
    course = file.with_name("course.toml")
    course.write_text('leagues = ["*.toml"]\n')
    token = token_of("eva", course)
    with serving(course, QUICK) as here:
        for league in ("autumn", "winter"):
            line = LeagueClient(address(f"{here.url.rpartition('/')[0]}/{league}"), token, CA)
            assert line.get(AccountView, "me").name == "eva"
    assert Path("course.sqlite").exists()
    assert not Path("autumn.sqlite").exists()


@pytest.mark.slow
def test_a_signal_ends_a_server_as_ctrl_c_does(file: Path) -> None:
    with serving(file, QUICK) as here:
        assert here.stop(signal.SIGTERM) == 0
        assert eventually(
            lambda: here.said[-1:] != [] and here.said[-1].startswith("stopped; received submissions are stored")
        )
    assert alive(file.parent) == []


@pytest.mark.submissions
def test_no_token_is_in_a_process_list_a_log_or_an_error(file: Path) -> None:
    token = token_of("eva", file)
    with serving(file, QUICK) as here:
        sent(here.line(token), "1")
        with pytest.raises(UserError) as refused:
            here.line(token[:-1] + "!").file("admission")
        commands = b"".join(each.read_bytes() for each in Path("/proc").glob("[0-9]*/cmdline"))
        assert here.stop() == 0
        shown = "".join(here.said) + str(refused.value)
    assert token not in shown
    assert token.encode() not in commands
    for kept in file.parent.glob("autumn.sqlite*"):
        if kept.is_file():
            assert token.encode() not in kept.read_bytes()
