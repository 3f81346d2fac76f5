"""Leagues whose bots call a whole service: nobody is there, somebody comes, the service is killed, a bot stays away."""

import os
import re
import ssl
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.command import REFEREE, referee
from tests.project_files import ROOT
from tests.tournaments.arena import PATIENT
from tests.tournaments.web.service.running import CA, QUICK, Serving, serving, token_of

pytestmark = [pytest.mark.submissions, pytest.mark.process, pytest.mark.timeout(900)]

BOT = """\
import json, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        print("ready", flush=True)
    elif message["type"] == "decide":
        time.sleep(0.05)
        print(message["number"] * 7 % len(message["legal"]), flush=True)
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    near = (
        'name = "near"\nversion = "1"\nauthor = "x"\ngames = ["*"]\nprotocol = "lines"\nrun = ["{python}", "bot.py"]\n'
    )
    for name in ("near", "nearer"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "bot.py").write_text(BOT.replace("0.05", "0"))
        (tmp_path / name / "bot.toml").write_text(near.replace('"near"', f'"{name}"'))
    (tmp_path / "bot.py").write_text(BOT)
    head = 'name = "autumn"\ngame = "agent-avenue"\ndeals = 3\nrehearsal = true\nseed = "7"\nsandbox = "none"\n'
    far = '[[bots]]\naddress = "seat:eva"\nname = "far"\nversion = "1"\n'
    rest = '[[bots]]\npath = "near"\n[[bots]]\npath = "nearer"\n[[tables]]\nname = "simple"\nseats = 2\n'
    (tmp_path / "autumn.toml").write_text(f"{head}{PATIENT}{far}{rest}")
    return tmp_path / "autumn.toml"


@contextmanager
def started(command: list[str | Path], log: Path) -> Iterator["subprocess.Popen[bytes]"]:
    with log.open("wb") as out:
        process = subprocess.Popen([*map(str, command)], stdout=out, stderr=out, env=os.environ, cwd=log.parent)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def attending(here: Serving, file: Path, token: str) -> list[str | Path]:
    (file.parent / "token").write_text(token)
    (file.parent / "attend.py").write_text(text_at(f"{here.url}/attend.py"))
    words = ["far@1", "--token-file", "token", "--ca", str(CA), "--", sys.executable, "bot.py"]
    return [sys.executable, "attend.py", *words]


def until(holds: Callable[[], bool]) -> None:
    until_s = time.monotonic() + 300
    while not holds():
        assert time.monotonic() < until_s
        time.sleep(0.1)


def text_at(url: str) -> str:
    asked = urllib.request.Request(url, headers={"Accept": "text/html"})  # noqa: S310 - it is https
    with urllib.request.urlopen(asked, context=ssl.create_default_context(cafile=CA)) as answer:  # noqa: S310
        return str(answer.read().decode())


def status(file: Path) -> str:
    return referee("league", "status", file).out


def test_a_run_goes_on_when_the_bot_comes_and_a_killed_service_costs_it_no_match(file: Path) -> None:
    token, folder = token_of("eva", file), file.parent
    with started([REFEREE, "league", "run", file], folder / "run.log") as running:  # noqa: SIM117 - it is clearer
        with serving(file, QUICK, 8475) as here:
            until(lambda: "remaining: 12" in status(file))  # all without the bot are played
            assert re.search(
                r"far@1 calls the service: away since .*; its matches wait; if only they are", status(file)
            )
            until(lambda: "no program of it is here" in (folder / "run.log").read_text())  # it may have begun first
            with started(attending(here, file, token), folder / "attend.log") as caller:
                until(lambda: "far@1 calls the service: playing since" in status(file))
                page = text_at(f"{here.url}/league")
                assert "Bots that call" in page
                assert "attend.py" in page
                here.kill()
                with serving(file, QUICK, 8475):
                    assert running.wait(timeout=300) == 0
                    caller.kill()
    assert "digest: " in (folder / "run.log").read_text()
    assert "void: 1" in status(file)
    assert "crash" not in referee("league", "matches", file, "--faults").out
    said = [*here.said, *(each.read_text() for each in folder.glob("*.log"))]
    assert token.strip() not in "".join(said)


def test_a_league_goes_on_without_a_bot_that_stays_away_if_its_file_says_so(file: Path) -> None:
    file.write_text(file.read_text().replace('"seat:eva"', '"seat:eva"\nabsent = "skip"\npatience_s = 2'))
    with serving(file, QUICK):
        ended = referee("league", "run", file)
    assert ended.code == 0
    assert "far@1 was away for too long: it is withdrawn, and the league goes on without it" in ended.err
    assert "played: 6" in status(file)


def test_the_file_of_a_league_offers_attend_with_its_own_address(file: Path) -> None:
    with serving(file, QUICK) as here:
        text = text_at(f"{here.url}/attend.py")
        assert f'LEAGUE = "{here.url}"' in text
        compile(text, "attend.py", "exec")
        assert text.replace(here.url, "") == (ROOT / "sample_bots" / "attend" / "attend.py").read_text()
        assert f'LEAGUE = "{here.url}"' in text_at(f"{here.url}/attend.js")
