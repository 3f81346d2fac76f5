"""Where a bot listens, and who else may call it there."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import uvloop
from msgspec.structs import replace

from referee.files.manifest import Transport
from referee.match.transcript import FaultKind
from referee.runtime.bot_address import ListenAddress, Peer, listening
from referee.runtime.bot_process import BotProcess
from referee.runtime.bot_stream import BotStream, NoDescription
from tests.runtime.rogues import PATIENT, faults, hosting_in, play_one, rogue, run_folder

TRANSPORTS: tuple[Transport, ...] = ("unix", "tcp", "tcp-any")


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_match_is_played_over_every_transport(transport: Transport, tmp_path: Path) -> None:
    transcript = play_one([rogue(tmp_path, "honest", transport)] * 2)
    assert faults(transcript) == []
    assert transcript.record.outcome.ending == "sold"


@pytest.mark.slow
@pytest.mark.process
def test_a_bot_that_should_say_its_port_and_does_not_has_not_started(tmp_path: Path) -> None:
    bots = [rogue(tmp_path, "keeps_its_port_to_itself", "tcp-any"), rogue(tmp_path, "honest")]
    clock = replace(PATIENT, start_ms=3_000)
    transcript = play_one(bots, clock=clock)
    assert faults(transcript) == [(0, 0, FaultKind.NO_START)]
    assert transcript.metadata.remarks[0].text == "did not print REFEREE_PORT=... within 3000 ms"


def with_process(folder: Path, transport: Transport, test: Callable[[BotProcess], Awaitable[None]]) -> None:
    async def run(run_dir: Path) -> None:
        process = await rogue(folder, "honest", transport).host(hosting_in(run_dir))
        try:
            await test(process)
        finally:
            await process.kill_now()

    with run_folder() as run_dir:
        uvloop.run(run(run_dir))


async def describes_itself(process: BotProcess, token: str | None) -> bool:
    line = BotStream(replace(await process.peer(), token=token), on_fault=process.kill)
    try:
        return bool(await line.describe(timeout_ms=20_000))
    except NoDescription as error:
        assert str(error) == "does not take the token"  # noqa: PT017 - one of two ways out
        return False
    finally:
        await line.drop()


@pytest.mark.process
@pytest.mark.parametrize("transport", ["tcp", "tcp-any"])
def test_a_bot_on_a_port_is_given_a_token_of_its_own_which_the_referee_shows(
    transport: Transport, tmp_path: Path
) -> None:
    async def test(process: BotProcess) -> None:
        token = (await process.peer()).token
        assert token
        assert await describes_itself(process, token)
        assert not await describes_itself(process, None)
        assert not await describes_itself(process, "a guess")

    with_process(tmp_path, transport, test)


def test_a_bot_on_a_unix_socket_in_a_folder_of_its_own_needs_no_token(tmp_path: Path) -> None:
    place = listening("unix", tmp_path)
    assert place.environment == {"REFEREE_ADDRESS": f"unix:{tmp_path / 'bot.sock'}"}
    (tmp_path / "bot.sock").touch()
    assert asyncio.run(peer_of(place)).token is None


def test_a_bot_on_a_unix_socket_is_not_called_before_its_socket_is_there(tmp_path: Path) -> None:
    async def wait_for_it() -> Peer:
        calling = asyncio.create_task(peer_of(listening("unix", tmp_path)))
        await asyncio.sleep(0.05)
        assert not calling.done()
        (tmp_path / "bot.sock").touch()
        return await calling

    assert asyncio.run(wait_for_it()).address == f"unix:{tmp_path / 'bot.sock'}"


def test_every_place_on_a_port_has_another_token(tmp_path: Path) -> None:
    tokens = {listening("tcp-any", tmp_path).token for _ in range(10)}
    assert len(tokens) == 10


async def peer_of(place: ListenAddress) -> Peer:
    """How a bot is called that prints no port."""
    return await place.peer(asyncio.get_running_loop().create_future())


def port_of(place: ListenAddress) -> int:
    return int(place.address.rpartition(":")[2])


def test_a_port_is_held_for_the_bot_that_is_told_of_it(tmp_path: Path) -> None:
    place = listening("tcp", tmp_path)
    try:
        with socket.socket() as other, pytest.raises(OSError, match="in use"):
            other.bind(("127.0.0.1", port_of(place)))
        with socket.create_server(("127.0.0.1", port_of(place))) as bot:  # with SO_REUSEADDR, like most servers
            assert bot.getsockname()[1] == port_of(place)
    finally:
        place.release()


def test_a_released_port_is_free(tmp_path: Path) -> None:
    place = listening("tcp", tmp_path)
    place.release()
    with socket.socket() as other:
        other.bind(("127.0.0.1", port_of(place)))
