"""Our servers under an attack of hostile peers. tests/mcp/test_seat.py has the port for an agent of `referee seat`."""

import http.client
import re
import socket
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

import pytest
from referee_bot.v1 import bot_pb2 as pb

from tests.cli.command import REFEREE
from tests.hostile_peers import attack, check, http1, http2
from tests.sample_bots.library.test_serving import BOT, PATIENCE_S, TOKEN, calling, served
from tests.tournaments.arena import write_league
from tests.tournaments.web.service.running import Serving

pytestmark = pytest.mark.process

Tell = Callable[[str, Mapping[str, object]], None]

MANY = pytest.param(13_000, marks=[pytest.mark.slow, pytest.mark.timeout(1_800)])
FEW = 300

SEAT = """
import asyncio, os, uvloop
from referee.agents.agent_seat import AgentSeat
from referee.agents.bot_server import serve_bot

async def main():
    address = os.environ["REFEREE_ADDRESS"]
    async with serve_bot("served@1", AgentSeat().stream, address, os.environ["REFEREE_TOKEN"]) as port:
        print(f"REFEREE_PORT={port}", flush=True)
        await asyncio.Event().wait()

uvloop.run(main())
"""


@pytest.mark.parametrize("peers", [FEW, MANY])
@pytest.mark.parametrize(
    ("what", "program", "address"),
    [("a bot at a socket", BOT, None), ("a bot on a port", BOT, "127.0.0.1:0"), ("the seat", SEAT, "127.0.0.1:0")],
)
def test_no_hostile_peer_harms_a_bot(
    what: str, program: str, address: str | None, peers: int, tmp_path: Path, tell: Tell
) -> None:
    token = (("authorization", f"Bearer {TOKEN}"),)
    with served(tmp_path, address, program, REFEREE_TOKEN=TOKEN) as bot:

        def serves() -> bool:
            with calling(bot) as stub:
                return bool(stub.Describe(pb.DescribeRequest(), timeout=PATIENCE_S, metadata=token).name == "served")

        harm = attack(bot.process.pid, lambda _rng: bot.connected(), http2, serves, peers)
        assert serves()
        assert bot.process.poll() is None
        assert bot.ended()[1] == ""
    check(harm, what, tell)


@pytest.mark.parametrize("peers", [FEW, MANY])
def test_no_hostile_peer_harms_the_service(peers: int, tmp_path: Path, tell: Tell) -> None:
    file = write_league(tmp_path / "autumn.toml", [], deals=2, more='sandbox = "landlock"\n')
    words: list[str | Path] = [REFEREE, "serve", file, "--port", "0"]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    try:
        here = Serving(process, "http")
        port = int(re.findall(r":(\d+)/", here.url)[0])

        def connect(rng: Random) -> socket.socket:
            network = (f"127.0.{rng.randrange(1, 200)}.{rng.randrange(1, 250)}", 0)
            return socket.create_connection(("127.0.0.1", port), PATIENCE_S, network)

        def serves() -> bool:
            line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
            line.request("GET", "/leagues")
            status = line.getresponse().status
            line.close()
            return status == 200

        said = [*here.said]
        harm = attack(process.pid, connect, http1, serves, peers)
        assert serves()
        assert here.stop() == 0
        assert [line for line in here.said if not line.startswith("stopped; ")] == said
    finally:
        process.kill()
        process.wait()
    check(harm, "the service", tell)
