"""The seat of an agent as the referee calls it: by gRPC, with a token, one stream at a time."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import grpc
import pytest
import uvloop

from referee.agents.agent_seat import AgentSeat
from referee.agents.bot_server import CannotServe, serve_bot
from referee.runtime.bot_address import Authorities, Peer
from referee.runtime.bot_stream import BotStream, NoDescription, TokenRefused
from tests.runtime.remotes import TLS

pytestmark = pytest.mark.slow

TOKEN = "the token of the league"  # noqa: S105 - a secret of nobody


def with_seat(do: Callable[[AgentSeat, str], Awaitable[None]]) -> None:
    """Do something with a seat, which is served at the address."""

    async def serve() -> None:
        seat = AgentSeat()
        async with serve_bot("eva@7", seat.stream, "127.0.0.1:0", TOKEN) as port:
            await do(seat, f"127.0.0.1:{port}")

    uvloop.run(serve())


async def described(peer: Peer) -> tuple[str, str, list[str]]:
    line = BotStream(peer)
    try:
        said = await line.describe(20_000)
        return said.name, said.version, list(said.games)
    finally:
        await line.drop()


async def until(holds: Callable[[], bool]) -> None:
    while not holds():
        await asyncio.sleep(0.01)


async def refusal(stream: BotStream) -> str:
    """Why the seat ended the stream."""
    await until(lambda: stream.talk.latched is not None)
    assert stream.talk.latched is not None
    return stream.talk.latched.text


def test_the_seat_describes_itself_only_to_those_who_show_the_token() -> None:
    async def do(_seat: AgentSeat, address: str) -> None:
        assert await described(Peer(address, TOKEN)) == ("eva", "7", ["*"])
        for wrong in (None, "another token"):
            with pytest.raises(TokenRefused):
                await described(Peer(address, wrong))

    with_seat(do)


def test_the_seat_has_one_stream_at_a_time_and_is_free_again_when_the_referee_leaves() -> None:
    async def do(seat: AgentSeat, address: str) -> None:
        first, second = BotStream(Peer(address, TOKEN)), BotStream(Peer(address, TOKEN))
        first.open()
        await until(lambda: seat.is_playing)
        second.open()
        assert "the seat plays in another match" in await refusal(second)
        assert first.talk.latched is None
        await first.drop()
        await until(lambda: not seat.is_playing)
        await second.drop()

    with_seat(do)


def test_a_stranger_opens_no_stream() -> None:
    async def do(seat: AgentSeat, address: str) -> None:
        stranger = BotStream(Peer(address, None))
        stranger.open()
        assert "the token is missing or wrong" in await refusal(stranger)
        assert not seat.is_playing
        await stranger.drop()

    with_seat(do)


def test_idle_strangers_keep_the_league_from_nothing() -> None:
    async def do(seat: AgentSeat, address: str) -> None:
        host, port = address.split(":")
        playing = BotStream(Peer(address, TOKEN))
        playing.open()
        await until(lambda: seat.is_playing)
        with ExitStack() as stack:
            strangers = [
                stack.enter_context(await asyncio.to_thread(socket.create_connection, (host, int(port)), 30))
                for _ in range(200)
            ]
            assert await described(Peer(address, TOKEN)) == ("eva", "7", ["*"])
            assert await asyncio.to_thread(strangers[0].recv, 1) == b""
        assert playing.talk.latched is None
        await playing.drop()

    with_seat(do)


def test_a_message_that_cannot_be_read_ends_its_stream() -> None:
    async def do(seat: AgentSeat, address: str) -> None:
        async with grpc.aio.insecure_channel(address) as channel:
            play: Any = channel.stream_stream("/referee_bot.v1.Bot/Play")(
                metadata=(("authorization", f"Bearer {TOKEN}"),)
            )
            await play.write(b"\xff")
            assert await play.code() is grpc.StatusCode.UNAVAILABLE
        await until(lambda: not seat.is_playing)

    with_seat(do)


def test_the_league_calls_the_seat_over_tls() -> None:
    async def serve() -> None:
        pair = (TLS / "bot.key", TLS / "bot.pem")
        async with serve_bot("eva@7", AgentSeat().stream, "localhost:0", TOKEN, pair) as port:
            trusting = Peer(f"localhost:{port}", TOKEN, Authorities((TLS / "ca.pem").read_bytes()))
            assert (await described(trusting))[0] == "eva"
            with pytest.raises(NoDescription):
                await described(Peer(f"localhost:{port}", TOKEN))

    uvloop.run(serve())


def test_with_an_empty_token_nothing_is_served() -> None:
    async def serve() -> None:
        with pytest.raises(CannotServe, match="REFEREE_TOKEN is empty"):
            async with serve_bot("eva@7", AgentSeat().stream, "127.0.0.1:0", ""):
                pass

    uvloop.run(serve())


@pytest.mark.parametrize("pair", [None, (TLS / "bot.pem", TLS / "bot.key")])
def test_a_port_that_is_taken_and_a_wrong_certificate_are_one_sentence(pair: tuple[Path, Path] | None) -> None:
    async def do(_seat: AgentSeat, address: str) -> None:
        with pytest.raises(CannotServe, match=f"{address}: cannot be served; see address, key and certificate: "):
            async with serve_bot("eva@7", AgentSeat().stream, address, TOKEN, pair):
                pass

    with_seat(do)
