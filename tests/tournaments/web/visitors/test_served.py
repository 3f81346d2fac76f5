"""Persons at a served league: real bots in their box, the process with the tables, and the server, over HTTP."""

import http.client
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode

import msgspec
import pytest

from referee.match.replay import verify
from referee.match.transcript import Transcript, from_file
from referee.wire.registry import game_entry
from tests.tournaments.web.visitors.puppets import SEATS

pytestmark = [pytest.mark.process, pytest.mark.submissions]

ROOT = Path(__file__).parents[4]
BOTS = {"agent-avenue": "counter", "agonia": "random", "inside-job": "random"}
"""By game, a sample bot that plays it."""


def league_file(folder: Path, game: str) -> Path:
    bot = ROOT / "sample_bots/python" / BOTS[game]
    version = re.search(r'^version = "(.+)"$', (bot / "bot.toml").read_text(), re.MULTILINE)
    assert version is not None
    table = f'[[tables]]\nname = "usual"\nseats = {SEATS[game]}\nseating = "copies"\n'
    file = folder / f"{game}.toml"
    file.write_text(
        f'name = "{game}"\ngame = "{game}"\ndeals = 1\nrehearsal = true\nseed = "served"\nsandbox = "bubblewrap"\n'
        f'store = "{game}.sqlite"\n'
        f'[visitors]\nopponents = ["{BOTS[game]}@{version[1]}"]\ntables = 2\n[service]\nrequests = 100000\n'
        f'[[bots]]\npath = "{bot}"\n[[bots]]\npath = "{bot}"\nlabel = "twin"\n{table}'
    )
    return file


class Served:
    """A server under test, as its visitors see it."""

    def __init__(self, port: int, process: "subprocess.Popen[str]") -> None:
        self.port = port
        self.process = process

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body or None, {name.replace("_", "-"): it for name, it in headers.items()})
            got = connection.getresponse()
            return got.status, {name.lower(): value for name, value in got.getheaders()}, got.read()
        finally:
            connection.close()

    def open(self, game: str, persons: int = 1) -> str:
        """Open a table against sample bots. The address of the seat."""
        status, _, lobby = self.ask("GET", "/play/")
        assert status == 200
        found = re.search(rf'value="({BOTS[game]}@[^"]+)"', lobby.decode())
        assert found is not None, lobby
        seats = ["~"] * persons + [found[1]] * (SEATS[game] - persons)
        fields = {"league": game, "name": "ann", **{f"seat.{seat}": who for seat, who in enumerate(seats)}}
        return self.seated("/play/tables", fields)

    def sit(self, invitation: str, name: str) -> str:
        return self.seated(f"/play/invited/{invitation}", {"name": name})

    def seated(self, path: str, fields: dict[str, str]) -> str:
        form = {"content_type": "application/x-www-form-urlencoded", "sec_fetch_site": "same-origin"}
        status, headers, body = self.ask("POST", path, urlencode(fields).encode(), **form)
        assert status == 303, body
        return headers["location"]

    def choose(self, seat: str, decision: int, index: int) -> int:
        body = msgspec.json.encode({"decision": decision, "index": index})
        headers = {"content_type": "application/json", "sec_fetch_site": "same-origin"}
        return self.ask("POST", f"{seat}/choices", body, **headers)[0]

    @contextmanager
    def stream(self, seat: str) -> Iterator[Iterator[tuple[str, Any]]]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request("GET", f"{seat}/news")
            yield _events(connection.getresponse())
        finally:
            connection.close()

    def play(self, seat: str, seed: str) -> Transcript:
        """Play to the end, and verify the match."""
        transcript, digest = from_file(self.play_to_end(seat, seed))
        assert transcript.digest == digest
        verify(game_entry(transcript.record.header.game).game, transcript)
        return transcript

    def play_to_end(self, seat: str, seed: str, connections: int = 3) -> bytes:
        """Play to the end over some connections, each of which is cut off. Returns the file of the match."""
        rng, over = Random(seed), False
        while not over:
            connections -= 1
            with self.stream(seat) as events:
                for number, (name, told) in enumerate(events):
                    assert name == "news", told
                    over = told["setting"]["phase"] == "over"
                    last = told["shown"][-1] if told["shown"] else None
                    if told["left_ms"] is not None and last is not None:
                        assert self.choose(seat, last["decision"], rng.randrange(len(last["legal"]))) == 204
                    if connections > 0 and number > 4:
                        break
        status, _, content = self.ask("GET", f"{seat}/match.json")
        assert status == 200
        return content


def _events(response: http.client.HTTPResponse) -> Iterator[tuple[str, Any]]:
    name = ""
    while line := response.readline():
        field, _, value = line.decode().rstrip("\n").partition(": ")
        if field == "event":
            name = value
        elif field == "data":
            yield name, msgspec.json.decode(value)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server with a league of each game."""
    folder = tmp_path_factory.mktemp("served")
    with serving(folder, [str(league_file(folder, game)) for game in SEATS]) as here:
        yield here


@contextmanager
def serving(folder: Path, files: list[str], environment: dict[str, str] | None = None) -> Iterator[Served]:
    """A server with these leagues, once persons can play there."""
    command = [sys.executable, "-m", "referee.cli.main", "serve", *files, "--port", "0"]
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    )
    try:
        assert process.stderr is not None
        said = ""
        while (found := re.search(r"visitors play at http://127.0.0.1:(\d+)/play/", said)) is None:
            line = process.stderr.readline()
            assert line, said
            said += line
        here = Served(int(found[1]), process)
        _until_up(here)
        yield here
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)


def _until_up(served: Served) -> None:
    for _ in range(600):
        if served.ask("GET", "/play/")[0] == 200:
            return
        time.sleep(0.1)
    raise AssertionError("the tables never came up")


@pytest.mark.parametrize("game", SEATS)
def test_a_person_plays_a_whole_match_of_every_game_against_sample_bots(served: Served, game: str) -> None:
    transcript = served.play(served.open(game), "alone")
    assert transcript.record.faults == ()
    assert transcript.record.outcome.ending in game_entry(game).game.endings
    assert transcript.record.header.entries[0] == "~ann@person"
    assert transcript.metadata.bots == ()


@pytest.mark.parametrize("game", SEATS)
def test_two_persons_play_a_whole_match_of_every_game(served: Served, game: str) -> None:
    from threading import Thread  # noqa: PLC0415

    ann = served.open(game, persons=2)
    with served.stream(ann) as events:
        ((_, invitation),) = next(events)[1]["setting"]["invitations"]
    bob = served.sit(invitation, "bob")
    bobs: list[Transcript] = []
    other = Thread(target=lambda: bobs.append(served.play(bob, "bob")))
    other.start()
    transcript = served.play(ann, "ann")
    other.join()
    assert transcript == bobs[0]
    assert transcript.record.faults == ()
    assert transcript.record.header.entries[:2] == ("~ann@person", "~bob@person")


def test_the_tables_are_kept_to_the_core_of_the_service(served: Served) -> None:
    (tables,) = _processes("tournaments.web.visitors.process", served.process.pid)
    cores = os.sched_getaffinity(tables)
    assert len(cores) == 1
    assert cores == os.sched_getaffinity(served.process.pid)


def test_if_the_process_with_the_tables_is_killed_it_is_started_again_and_its_bots_are_gone(served: Served) -> None:
    seat = served.open("agonia")
    with served.stream(seat) as events:
        while next(events)[1]["left_ms"] is None:
            pass
        (pid,) = _processes("tournaments.web.visitors.process", served.process.pid)
        bots = _processes("bot.py", served.process.pid)
        assert bots
        os.kill(pid, signal.SIGKILL)
        assert list(events) == []  # the stream ends, and a page would connect again
    _until_up(served)
    assert [bot for bot in bots if Path(f"/proc/{bot}").exists()] == []
    with served.stream(seat) as events:
        assert next(events)[0] == "closed"
    assert served.play(served.open("agent-avenue"), "after").record.faults == ()


def _processes(words: str, ancestor: int) -> list[int]:
    """The processes below another with these words in their command."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in listed.splitlines()]
    below, found = {ancestor}, []
    for _ in rows:
        below |= {int(pid) for pid, parent, _ in rows if int(parent) in below}
    for pid, _, command in rows:
        if int(pid) in below and words in command and "setpriv" not in command.split()[0]:
            found.append(int(pid))
    return found
