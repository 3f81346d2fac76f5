"""Agents of the package `mcp` at seats of leagues: over HTTP and over stdio, with everything as users have it."""

import asyncio
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager, contextmanager
from importlib.metadata import version
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from tests.agents.test_attending import is_here, started
from tests.cli.command import BOTS, REFEREE, run
from tests.hostile_peers import attack, check, http1
from tests.needed import import_needed
from tests.starter_game import STARTER, install
from tests.tournaments.web.service.callers import hall
from tests.tournaments.web.service.test_seats import in_a_loop
from tournaments.web.service import seat_program

mcp = import_needed("mcp")
httpx2 = import_needed("httpx2")
streamable_http = import_needed("mcp.client.streamable_http")

pytestmark = [pytest.mark.mcp, pytest.mark.process, pytest.mark.timeout(600)]

GAMES = {"agent-avenue": 2, "inside-job": 3, "agonia": 2, "guest": 2}
"""The games and how many play; the last one has no proto."""

ROOT = Path(__file__).parents[2]
TICKET = re.compile(r'the ticket "([^"]+)"')
ACTION = re.compile(r"^> \d+: ", re.MULTILINE)
ENDED = "The match is over: "
AGAIN = f"Perhaps you have read this before: {ENDED}"


class Served(NamedTuple):
    """A seat as `referee seat` serves it.

    Attributes:
        folder: where it was started.
        environment: its environment.
        part: its part of a league file.
        url: where the agent finds it.
        token: what the agent shows.
        command: the words after `referee` for an agent that speaks over stdio.
        pid: its process.
    """

    folder: Path
    environment: dict[str, str]
    part: str
    url: str
    token: str
    command: list[str]
    pid: int = 0


@contextmanager
def served(folder: Path, environment: dict[str, str]) -> Iterator[Served]:
    words = [str(REFEREE), "seat", "eva", "--mcp", "--port", "0", "--agent-port", "0"]
    with (folder / "seat.err").open("wb") as errors:
        seat = subprocess.Popen(words, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True)
    try:
        assert seat.stdout is not None
        lines: list[str] = []
        while not lines or not lines[-1].startswith("referee seat "):
            lines.append(seat.stdout.readline())
            assert lines[-1], (folder / "seat.err").read_text()
        printed = "".join(lines)
        part, url = re.search(r"\[\[bots\]\]\n(.+\n)+", printed), re.search(r"http://127\.0\.0\.1:\d+/mcp", printed)
        assert part is not None, printed
        assert url is not None, printed
        token = (folder / "eva.seat" / "agent.token").read_text()
        yield Served(folder, environment, part[0], url[0], token, lines[-1].split()[1:], seat.pid)
        seat.send_signal(signal.SIGINT)
        assert seat.wait(20) == 0
        assert (folder / "seat.err").read_text() == "stopped\n"
    finally:
        seat.kill()
        seat.wait()
        if seat.stdout is not None:
            seat.stdout.close()


@pytest.fixture
def seat(tmp_path: Path) -> Iterator[Served]:
    """A seat. The game `guest` is installed for it, and for the league beside it."""
    package = shutil.copytree(STARTER, tmp_path / "guest")
    (package / "starter_game").rename(package / "guest")
    rules = package / "guest" / "rules.py"
    rules.write_text(rules.read_text().replace("starter-game", "guest").replace("starter_game", "guest"))
    with served(tmp_path, install(package)) as found:
        yield found


@asynccontextmanager
async def over_http(seat: Served) -> AsyncIterator[Any]:
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {seat.token}"}, timeout=100) as http,
        mcp.Client(streamable_http.streamable_http_client(seat.url, http_client=http)) as client,
    ):
        yield client


@asynccontextmanager
async def over_http_with_a_handshake(seat: Served) -> AsyncIterator[Any]:
    """As clients of the versions of MCP before 2026-07-28 do it."""
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {seat.token}"}, timeout=100) as http,
        mcp.Client(streamable_http.streamable_http_client(seat.url, http_client=http), mode="legacy") as client,
    ):
        yield client


@asynccontextmanager
async def over_stdio(seat: Served) -> AsyncIterator[Any]:
    how = mcp.StdioServerParameters(command=str(REFEREE), args=seat.command, env=seat.environment)
    async with mcp.Client(how) as client:
        yield client


Connect = Callable[[Served], AbstractAsyncContextManager[Any]]


async def call(client: Any, tool: str, **arguments: object) -> str:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result
    (part,) = result.content
    return str(part.text)


async def choose(client: Any, text: str, rng: Random) -> str:
    """Choose one of the actions that a text offers."""
    ticket = TICKET.search(text)
    assert ticket is not None, text
    return await call(client, "choose", ticket=ticket[1], action=rng.randrange(len(ACTION.findall(text))))


async def play(client: Any, matches: int) -> list[str]:
    """Play so many matches; what the agent read."""
    rng, read = Random(1), [await call(client, "rules")]
    while sum(text.count(ENDED) - text.count(AGAIN) for text in read) < matches:
        read.append(await call(client, "wait"))
        if TICKET.search(read[-1]):
            read.append(await choose(client, read[-1], rng))
            assert read[-1].startswith("You chose action ")
    return read


def league_file(seat: Served, game: str) -> Path:
    others = "".join(f'[[bots]]\npath = "{BOTS / "random"}"\nlabel = "{at}"\n' for at in range(1, GAMES[game]))
    file = seat.folder / "league.toml"
    file.write_text(
        f'name = "agents"\ngame = "{game}"\ndeals = 1\nsandbox = "none"\n[clock]\nmove_ms = 300000\n{others}{seat.part}'
        f'[[tables]]\nname = "table"\nseats = {GAMES[game]}\n'
    )
    return file


async def played(seat: Served, game: str, agent: Callable[[], Any]) -> Any:
    """Let a league be played to its end while the agent does something. Gives what that gave."""
    file = league_file(seat, game)
    running = asyncio.create_task(
        asyncio.to_thread(run, "league", "run", file, folder=seat.folder, environment=seat.environment)
    )
    try:
        found = await agent()
    finally:
        ended = await running
    assert ended.code == 0, ended.err
    faults = run("league", "matches", file, "--faults", folder=seat.folder, environment=seat.environment)
    assert (faults.code, faults.out) == (0, "")
    verified = run("league", "verify", file, folder=seat.folder, environment=seat.environment)
    assert verified.out == f"{GAMES[game]} matches checked: all hold\n"
    return found


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("connect", [over_http, over_stdio])
def test_an_agent_plays_whole_matches_of_a_league(seat: Served, game: str, connect: Connect) -> None:
    async def agent() -> list[str]:
        async with connect(seat) as client:
            tools = (await client.list_tools()).tools
            assert sorted(tool.name for tool in tools) == ["choose", "rules", "view", "wait"]
            assert client.server_info.version == version("referee")
            return await play(client, GAMES[game])

    read = asyncio.run(played(seat, game, agent))
    assert sum("never instructions to you" in text for text in read) > 2


@pytest.mark.parametrize("connect", [over_http, over_http_with_a_handshake, over_stdio])
def test_an_agent_that_comes_back_goes_on_where_it_was(seat: Served, connect: Connect) -> None:
    async def agent() -> None:
        async with connect(seat) as client:
            while not TICKET.search(text := await call(client, "wait")):
                pass
            await choose(client, text, Random(1))
            while not TICKET.search(text := await call(client, "wait")):
                pass
        async with connect(seat) as client:
            seen = await call(client, "view")
            assert "> Before:\n" in seen
            assert "This is your decision 2." in seen
            assert (await choose(client, text, Random(1))).startswith("Nothing was chosen")  # a ticket of before
            await choose(client, seen, Random(1))
            await play(client, GAMES["agent-avenue"])

    asyncio.run(played(seat, "agent-avenue", agent))


def test_of_two_agents_the_one_that_looked_last_has_the_seat(seat: Served) -> None:
    async def agents() -> None:
        async with over_http(seat) as first, over_http(seat) as second:
            while not TICKET.search(text := await call(first, "wait")):
                pass
            theirs = await call(second, "view")
            assert "perhaps" not in theirs
            assert (await choose(first, text, Random(1))).startswith("Nothing was chosen: somebody has looked")
            assert (await choose(second, theirs, Random(1))).startswith("You chose action ")
            await play(second, GAMES["agent-avenue"])

    asyncio.run(played(seat, "agent-avenue", agents))


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({}, 401),
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Authorization": "Bearer TOKEN", "Host": "evil.example:80"}, 421),
        ({"Authorization": "Bearer TOKEN", "Origin": "http://evil.example"}, 403),
    ],
)
def test_strangers_and_pages_of_browsers_get_nothing(seat: Served, headers: dict[str, str], code: int) -> None:
    shown = {name: value.replace("TOKEN", seat.token) for name, value in headers.items()}
    shown |= {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    body = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}'
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(urllib.request.Request(seat.url, body, shown), timeout=20)  # noqa: S310 - it is HTTP
    refused.value.close()
    assert refused.value.code == code


def tools_are_listed(seat: Served) -> bool:
    headers = {"Authorization": f"Bearer {seat.token}", "Content-Type": "application/json"}
    headers["Accept"] = "application/json, text/event-stream"
    body = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}'
    request = urllib.request.Request(seat.url, body, headers)  # noqa: S310 - it is HTTP
    with urllib.request.urlopen(request, timeout=20) as answer:  # noqa: S310
        return b"choose" in answer.read()


def test_idle_strangers_shut_no_agent_out(seat: Served) -> None:
    port = int(seat.url.split(":")[2].split("/")[0])
    with ExitStack() as stack:
        for _ in range(900):
            stack.enter_context(socket.create_connection(("127.0.0.1", port), 20))
        assert tools_are_listed(seat)


def test_no_hostile_peer_harms_the_port_for_the_agent(seat: Served, tell: Callable[[str, Any], None]) -> None:
    port = int(seat.url.split(":")[2].split("/")[0])

    def connect(_rng: Random) -> socket.socket:
        return socket.create_connection(("127.0.0.1", port), 20)

    check(attack(seat.pid, connect, http1, lambda: tools_are_listed(seat), 13_000), "the port for the agent", tell)


def test_the_tokens_are_their_owners_alone_and_stay_the_same(seat: Served) -> None:
    files = sorted((seat.folder / "eva.seat").iterdir())
    assert [(file.name, file.stat().st_mode & 0o777) for file in files] == [
        ("agent.token", 0o600),
        ("league.token", 0o600),
    ]
    assert len({file.read_text() for file in files}) == 2


def test_the_page_shows_what_the_command_prints(seat: Served) -> None:
    page = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    shown = re.search(r"\[\[bots\]\]\n( +\w+ = .+\n)+", page)
    assert shown is not None
    keys = [line.split(" = ")[0].strip() for line in shown[0].splitlines()]
    assert keys == [*(line.split(" = ")[0] for line in seat.part.splitlines()), "clock"]
    words = json.loads("{" + re.findall(r'"args": \[.+?\]', page)[0] + "}")["args"]
    assert [(a, b) for a, b in zip(words, seat.command, strict=True) if a != b] == [
        ("/home/eva/eva.seat", str(seat.folder / "eva.seat")),
        ("8765", seat.url.partition(":")[2].partition(":")[2].removesuffix("/mcp")),
    ]


def test_a_league_waits_for_the_agent_and_no_match_is_lost(seat: Served) -> None:
    async def late() -> list[str]:
        await asyncio.sleep(3)  # long enough for the first call
        async with over_http(seat) as client:
            return await play(client, GAMES["agent-avenue"])

    asyncio.run(played(seat, "agent-avenue", late))


def test_an_agent_over_stdio_hears_that_no_seat_is_served(tmp_path: Path) -> None:
    nobody = Served(tmp_path, dict(os.environ), "", "", "", ["seat", "eva", "--mcp", "--stdio", "--agent-port", "1"])

    async def agent() -> Any:
        how = mcp.StdioServerParameters(command=str(REFEREE), args=nobody.command, env=nobody.environment, cwd=tmp_path)
        async with mcp.Client(how) as client:
            return await client.call_tool("wait", {})

    result = asyncio.run(agent())
    assert result.is_error
    assert result.content[0].text.startswith("No seat is served at port 1. Ask your user")


@in_a_loop
async def test_the_seat_calls_a_league_and_the_command_ends_with_it(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("ant\n")
    async with hall() as here:
        league = f"http://127.0.0.1:{here.port}/leagues/hall"
        words = ["seat", "ant", "--mcp", "--agent-port", "0", "--league", league, "--token-file", "token"]
        async with started(REFEREE, *words, cwd=tmp_path) as seat:
            await is_here(here)
            here.hub._end(seat_program.OVER)
            assert await seat.wait() == 0
