"""attend.py, as authors run it: it plays, comes back into its match, says what happens, and ends cleanly."""

import ast
import asyncio
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from referee.match.transcript import FaultKind
from referee.runtime.remote_bot import Unreachable
from tests.needed import needs
from tests.project_files import ROOT
from tests.runtime.rogues import faults
from tests.tournaments.arena import alive
from tests.tournaments.web.service.callers import ANT, BEE, hall, honest
from tests.tournaments.web.service.test_seats import digest_of_honest, fault, in_a_loop
from tournaments.web.service import seat_program

pytestmark = pytest.mark.process

ATTEND = ROOT / "sample_bots" / "attend" / "attend.py"
BOT = """\
import json, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        print("ready", flush=True)
    elif message["type"] == "decide":
        {more}
        print(message["number"] * 7 % len(message["legal"]), flush=True)
"""


class Attending:
    """A running attend.py, and what it has said."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process, self.lines = process, list[str]()

    async def says(self, words: str) -> None:
        """Wait until it says something with these words."""
        assert self.process.stderr is not None
        while line := (await self.process.stderr.readline()).decode():
            self.lines.append(line)
            if words in line:
                return
        raise AssertionError(self.lines)


@asynccontextmanager
async def attending(
    port: int, folder: Path, more: str = "pass", *, who: str = "ant", page: str = ""
) -> AsyncIterator[Attending]:
    (folder / "token").write_text(f"{who}\n")
    (folder / "bot.py").write_text(BOT.format(more=more))
    command = [sys.executable, str(folder / "bot.py")]
    words = [
        str(ATTEND),
        ANT,
        "--league",
        f"http://127.0.0.1:{port}/leagues/hall{page}",
        "--token-file",
        str(folder / "token"),
    ]
    process = await asyncio.create_subprocess_exec(
        sys.executable, *words, "--", *command, stderr=asyncio.subprocess.PIPE
    )
    try:
        yield Attending(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


class Proxy:
    """Passes bytes on to a service, and cuts its connections when it is told to.

    Attributes:
        passes: set as long as it does not hold back what the service sends.
    """

    def __init__(self, port: int) -> None:
        self._port = port
        self.passes = asyncio.Event()
        self.passes.set()
        self._writers = set[asyncio.StreamWriter]()

    @asynccontextmanager
    async def serve(self) -> AsyncIterator[int]:
        server = await asyncio.start_server(self._pass, "127.0.0.1", 0)
        yield int(server.sockets[0].getsockname()[1])
        server.close()
        self.cut()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, to_there = await asyncio.open_connection("127.0.0.1", self._port)
        self._writers |= {writer, to_there}
        both = self._pump(reader, to_there), self._pump(there, writer, self.passes)
        await asyncio.gather(*both, return_exceptions=True)

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, passes: asyncio.Event | None = None
    ) -> None:
        while data := await reader.read(1 << 16):
            if passes is not None:
                await passes.wait()
            writer.write(data)
        writer.close()

    def cut(self) -> None:
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()


def test_attend_is_short_and_python_3_8_reads_it() -> None:
    text = ATTEND.read_text()
    ast.parse(text, feature_version=(3, 8))
    assert len(text.splitlines()) <= 220
    assert len((ATTEND.parent / "attend.js").read_text().splitlines()) <= 22


@in_a_loop
async def test_a_program_plays_through_attend_and_ctrl_c_ends_both(tmp_path: Path) -> None:
    undisturbed = await asyncio.to_thread(digest_of_honest)
    async with hall() as here, honest(here, BEE), attending(here.port, tmp_path) as ant:
        await ant.says("here; a match begins when the league needs it")
        async with here.table() as sitting:
            transcript = await sitting.play()
            assert transcript.digest == undisturbed
            assert faults(await sitting.play()) == []
        ant.process.send_signal(signal.SIGINT)
        assert await ant.process.wait() == 0


@in_a_loop
async def test_attend_comes_back_into_its_match_at_any_moment(tmp_path: Path) -> None:
    undisturbed = await asyncio.to_thread(digest_of_honest)
    for slow in ("pass", "time.sleep(0.3)"):
        async with hall() as here, honest(here, BEE):
            proxy = Proxy(here.port)
            async with proxy.serve() as port, attending(port, tmp_path, slow) as ant, here.table() as sitting:
                await ant.says("here; a match")
                match = asyncio.create_task(sitting.play())
                for _ in range(3):
                    await asyncio.sleep(0.25)
                    proxy.cut()
                    if slow != "pass":  # its clock runs, so it does not wait for longer each time
                        await ant.says("I call again in 0.1 s")
                        await ant.says("here, and back in the match")
                transcript = await match
                assert faults(transcript) == []
                assert transcript.digest == undisturbed


@in_a_loop
async def test_behind_a_proxy_that_buffers_no_match_begins_and_none_is_lost(tmp_path: Path) -> None:
    async with hall() as here, honest(here, BEE):
        proxy = Proxy(here.port)
        async with proxy.serve() as port, attending(port, tmp_path) as ant, here.table() as sitting:
            await ant.says("here; a match")
            proxy.passes.clear()
            with pytest.raises(Unreachable, match="no program of it is here"):
                await sitting.play()
            proxy.passes.set()
            await ant.says("I call again")
            await ant.says("here; a match")
            assert faults(await sitting.play()) == []


@in_a_loop
async def test_a_proxy_that_passes_on_no_websockets_is_named(tmp_path: Path) -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 426 Upgrade Required\r\ncontent-length: 0\r\n\r\n")
        writer.close()

    proxy = await asyncio.start_server(refuse, "127.0.0.1", 0)
    async with proxy, attending(proxy.sockets[0].getsockname()[1], tmp_path) as ant:
        await ant.says("the answer has status 426; a proxy may pass on no WebSockets. I call again")


@in_a_loop
async def test_a_program_that_ends_has_crashed_and_is_started_again(tmp_path: Path) -> None:
    ends = 'message["number"] == 2 and sys.exit(3)'
    async with hall() as here, honest(here, BEE), attending(here.port, tmp_path, ends) as ant, here.table() as sitting:
        await ant.says("here; a match")
        assert fault(await sitting.play()) == (FaultKind.CRASH, "hung up")
        await ant.says("the program ended with code 3; the next match starts it again")
        await ant.says("here; a match")
        assert fault(await sitting.play()) == (FaultKind.CRASH, "hung up")


@in_a_loop
async def test_a_kill_of_attend_costs_its_match_and_ends_its_program_and_the_next_attend_plays_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seat_program, "RESUME_S", 0.2)
    plays = tmp_path / "plays"
    async with hall() as here, honest(here, BEE), here.table() as sitting:
        async with attending(here.port, tmp_path, f"open({str(plays)!r}, 'w'); time.sleep(0.1)") as ant:
            await ant.says("here; a match")
            match = asyncio.create_task(sitting.play())
            while not plays.exists():
                await asyncio.sleep(0.02)
            ant.process.kill()
            assert fault(await match) == (FaultKind.CRASH, "lost its connection, and did not come back within 0 s")
            while alive(tmp_path / "bot.py"):
                await asyncio.sleep(0.02)
        async with attending(here.port, tmp_path) as ant:
            await ant.says("here; a match")
            assert faults(await sitting.play()) == []


@in_a_loop
async def test_a_fault_is_reported_and_the_address_of_any_page_of_the_league_will_do(tmp_path: Path) -> None:
    wrong = "print('hello', flush=True); continue"
    async with hall() as here, honest(here, BEE), attending(here.port, tmp_path, wrong, page="/standings") as ant:
        await ant.says("here; a match")
        async with here.table() as sitting:
            assert fault(await sitting.play())[0] is FaultKind.PROTOCOL
        await ant.says("if a fault ended it, the page Matches says which")


@in_a_loop
async def test_after_a_restart_in_a_match_the_program_is_back_at_once(tmp_path: Path) -> None:
    async with hall() as here, honest(here, BEE), attending(here.port, tmp_path, "time.sleep(0.3)") as ant:
        await ant.says("here; a match")
        async with here.table() as sitting:
            match = asyncio.create_task(sitting.play())
            while not here.hub.statuses[ANT][1]:
                await asyncio.sleep(0.02)
            await asyncio.sleep(0.5)
            for program in here.hub._seats[ANT].playing:
                program.close(seat_program.LEFT_OUT)  # as a service that knows nothing of the match
            await ant.says("the page Matches says which. I call again in 0.1 s")
            match.cancel()


WRONG = {
    "no such program": (["--token-file", "token", "--", "perll"], "'perll'"),
    "a token that is not there": (["--token-file", "none", "--", "cat"], "'none'"),
    "two tokens": (["--token-file", "two", "--", "cat"], "too many values"),
    "a certificate that is none": (["--token-file", "token", "--ca", "token", "--", "cat"], "certificate"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_at_the_start_is_one_sentence_without_the_token(what: str, tmp_path: Path) -> None:
    (tmp_path / "token").write_text("secret1\n")
    (tmp_path / "two").write_text("secret1\nsecret2\n")
    words, named = WRONG[what]
    command = [sys.executable, str(ATTEND), ANT, "--league", "https://127.0.0.1:9/leagues/hall", *words]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert ended.returncode == 2
    *_, sentence = ended.stderr.splitlines()
    assert "the program, the token (one word in its file) and the certificate" in sentence
    assert named in sentence
    assert "secret" not in ended.stderr


@in_a_loop
async def test_attend_ends_with_the_words_of_a_refusal(tmp_path: Path) -> None:
    async with hall() as here, attending(here.port, tmp_path, who="bee") as ant:
        await ant.says("ant@1 is not yours; send the token of its author. This is the end.")
        assert await ant.process.wait() == 2


@in_a_loop
async def test_attend_ends_when_the_league_is_over(tmp_path: Path) -> None:
    async with hall() as here, attending(here.port, tmp_path) as ant:
        await ant.says("here")
        here.hub._end(seat_program.OVER)
        await ant.says("the league is over. This is the end.")
        assert await ant.process.wait() == 0
        async with attending(here.port, tmp_path) as late:
            await late.says("the league is over. This is the end.")
            assert await late.process.wait() == 0


@in_a_loop
async def test_attend_calls_again_until_the_service_runs(tmp_path: Path) -> None:
    async with hall() as here:
        port = here.port
        async with attending(port, tmp_path) as ant:
            await ant.says("here")
            await here.hub.drain()
            await ant.says("the service starts again. I call again in")
            await ant.says("the service starts again. I call again in 10.0 s")


def node() -> list[str]:
    """The command of Node, if it has WebSockets."""
    for more in ([], ["--experimental-websocket"]):
        asked = ["node", *more, "-e", "process.exit(typeof WebSocket === 'function' ? 0 : 1)"]
        if shutil.which("node") and subprocess.run(asked, check=False, capture_output=True).returncode == 0:
            return ["node", *more]
    return []


@needs("Node with WebSockets", there=bool(node()))
@in_a_loop
async def test_a_program_plays_through_attend_js(tmp_path: Path) -> None:
    undisturbed = await asyncio.to_thread(digest_of_honest)
    async with hall() as here, honest(here, BEE):
        text = (ATTEND.parent / "attend.js").read_text()
        address = f"http://127.0.0.1:{here.port}/leagues/hall"
        (tmp_path / "attend.js").write_text(text.replace('LEAGUE = ""', f'LEAGUE = "{address}"'))
        (tmp_path / "token").write_text("ant\n")
        (tmp_path / "bot.py").write_text(BOT.format(more="pass"))
        words = [*node(), "attend.js", ANT, "token", sys.executable, "bot.py"]
        process = await asyncio.create_subprocess_exec(*words, cwd=tmp_path, stderr=asyncio.subprocess.PIPE)
        await Attending(process).says("ant@1 is here")
        async with here.table() as sitting:
            assert (await sitting.play()).digest == undisturbed
            assert faults(await sitting.play()) == []
        here.hub._end(seat_program.OVER)
        await Attending(process).says("the league is over")
        assert await process.wait() == 0
