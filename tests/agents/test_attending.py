"""A seat for an agent, and any bot in a process, calls a league: no port is open, and it plays as other programs do."""

import asyncio
import re
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.agents import agent_seat
from referee.agents.agent_seat import AgentSeat
from referee.agents.attending import attend
from referee.core.errors import WrongUse
from referee.runtime.remote_bot import Unreachable
from referee.wire.registry import games
from tests.project_files import ROOT
from tests.runtime.rogues import faults
from tests.sample_bots.mock_endpoint import Reply, endpoint
from tests.tournaments.web.service.callers import ANT, BEE, Hall, hall, honest
from tests.tournaments.web.service.test_seats import in_a_loop
from tournaments.web.service import seat_program

CHAT = ROOT / "sample_bots" / "python" / "chat" / "bot.py"
TICKET = re.compile(r'the ticket "([^"]+)"')


async def agent(seat: AgentSeat) -> None:
    """An agent that always chooses the first action."""
    while True:
        found = TICKET.search(await seat.wait())
        if found is not None:
            await seat.choose(found[1], 0, "the first")


def plain_options(game: str) -> Any:
    return msgspec.to_builtins(games()[game].game.varieties[0])


def calling(here: Hall, folder: Path, seat: AgentSeat) -> "asyncio.Task[list[int]]":
    (folder / "token").write_text("ant\n")
    league = f"http://127.0.0.1:{here.port}/leagues/hall"
    return asyncio.create_task(attend(ANT, league, folder / "token", None, seat.stream))


async def is_here(here: Hall) -> None:
    while not here.hub.statuses[ANT][0]:
        await asyncio.sleep(0.02)


@pytest.mark.parametrize("game", ["agent-avenue", "agonia"])
@in_a_loop
async def test_an_agent_plays_by_a_call_to_the_league(game: str, tmp_path: Path) -> None:
    options = plain_options(game)
    async with hall() as here, honest(here, BEE):
        seat = AgentSeat()
        attending, playing = calling(here, tmp_path, seat), asyncio.create_task(agent(seat))
        await is_here(here)
        async with here.table() as sitting:
            transcript = await sitting.play_game(game, options)
        assert faults(transcript) == []
        assert transcript.metadata.notes
        playing.cancel()
        here.hub._end(seat_program.OVER)
        assert await attending == [0]


@in_a_loop
async def test_without_an_agent_the_match_is_postponed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(agent_seat, "_AWAY_S", 0.0)
    options = plain_options("agent-avenue")
    async with hall() as here, honest(here, BEE):
        attending = calling(here, tmp_path, AgentSeat(0.0))
        await is_here(here)
        async with here.table() as sitting:
            with pytest.raises(Unreachable, match="no agent is at the seat"):
                await sitting.play_game("agent-avenue", options)
        attending.cancel()


@in_a_loop
async def test_a_game_that_is_not_installed_postpones_the_match(tmp_path: Path) -> None:
    async with hall() as here, honest(here, BEE):
        attending = calling(here, tmp_path, AgentSeat())
        await is_here(here)
        async with here.table() as sitting:
            with pytest.raises(Unreachable, match="auction"):
                await sitting.play()
        attending.cancel()


@asynccontextmanager
async def started(*words: str | Path, cwd: Path | None = None) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(*map(str, words), cwd=cwd)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@pytest.mark.process
@in_a_loop
async def test_the_bot_that_asks_a_model_plays_by_a_call_to_the_league(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("ant\n")
    options = plain_options("agent-avenue")
    with endpoint(lambda _body: Reply("ACTION: 0")) as model:
        async with hall() as here, honest(here, BEE):
            league = f"http://127.0.0.1:{here.port}/leagues/hall"
            words: list[str | Path] = [
                league,
                model.address,
                "small",
                "--name",
                "ant",
                "--token-file",
                tmp_path / "token",
                "--parallel",
                "1",
            ]
            async with started(sys.executable, CHAT, *words):
                await is_here(here)
                async with here.table() as sitting:
                    transcript = await sitting.play_game("agent-avenue", options)
                assert faults(transcript) == []
                assert transcript.metadata.notes
                assert {each.note.text for each in transcript.metadata.notes} == {"ACTION: 0"}


@pytest.mark.parametrize("after", ["being here", "losing the service"])
@in_a_loop
async def test_a_bot_that_leaves_calls_no_more(after: str, tmp_path: Path) -> None:
    others = set(threading.enumerate())
    async with hall() as here:
        attending = calling(here, tmp_path, AgentSeat())
        await is_here(here)
        if after == "being here":
            attending.cancel()
            await asyncio.wait([attending])
    if after == "losing the service":
        await asyncio.sleep(0.3)  # it has called again, and waits
        attending.cancel()
        await asyncio.wait([attending])
    async with asyncio.timeout(20):
        while any(thread.daemon for thread in set(threading.enumerate()) - others):
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("content", [None, "secret1\nsecret2\n"], ids=["no file", "two tokens"])
@in_a_loop
async def test_a_token_that_cannot_be_read_is_one_sentence_without_it(content: str | None, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "token").write_text(content)
    with pytest.raises(WrongUse, match="token must have one token") as wrong:
        await attend(ANT, "http://127.0.0.1:9/leagues/hall", tmp_path / "token", None, AgentSeat().stream)
    assert "secret" not in str(wrong.value)


@in_a_loop
async def test_a_token_is_not_sent_in_the_clear(tmp_path: Path) -> None:
    with pytest.raises(WrongUse, match="http only on this machine"):
        await attend(ANT, "http://league.example.org/leagues/hall", tmp_path / "token", None, AgentSeat().stream)
