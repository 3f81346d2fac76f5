"""The tables of another process, through its socket: the same as beside them; a call that fails harms no other."""

import asyncio
import os
import stat
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import aclosing
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest

from referee.match.transcript import from_file
from tests.tournaments.web.visitors.puppets import SEATS, play, tables_service, wanted_table
from tournaments.web.visitors.protocol import TableRefused, TablesCall, TablesReply
from tournaments.web.visitors.tables import OpenTables
from tournaments.web.visitors.tables_rpc import (
    MOST_BYTES,
    BrokenFrame,
    TablesClient,
    TablesUnreachable,
    read_frame,
    serve,
    write_frame,
)

T = TypeVar("T")


def far(folder: Path, test: Callable[[TablesClient, OpenTables], Awaitable[T]]) -> T:
    """Let `test` use tables through a socket."""

    async def run() -> T:
        near = tables_service(folder)
        server = await serve(near, folder / "tables.sock")
        try:
            return await test(TablesClient(folder / "tables.sock"), near)
        finally:
            await near.close()
            server.close()

    return asyncio.run(run())


@pytest.mark.parametrize("game", SEATS)
def test_a_match_is_played_through_the_socket_as_beside_it(tmp_path: Path, game: str) -> None:
    async def test(there: TablesClient, near: OpenTables) -> bytes:
        assert await there.offers() == await near.offers()
        key = (await there.open(wanted_table(game))).key
        await play(there, key)
        content = await there.record(key)
        assert content == await near.record(key)
        return content

    assert from_file(far(tmp_path, test))[0].record.faults == ()


def test_a_refusal_is_a_refusal_on_the_other_side(tmp_path: Path) -> None:
    async def test(there: TablesClient, _near: OpenTables) -> None:
        refused: list[Coroutine[Any, Any, Any]] = [
            there.open(wanted_table("agonia", name="no name")),
            there.sit("wrong", "ann"),
            there.choose("wrong", 1, 0),
            there.record("wrong"),
            there.rematch("wrong"),
            anext(there.follow("wrong")),
        ]
        for each in refused:
            with pytest.raises(TableRefused, match=r"closed|called that|used already"):
                await each

    far(tmp_path, test)


def test_a_refusal_names_the_field_on_the_other_side_and_a_rematch_is_one(tmp_path: Path) -> None:
    async def test(there: TablesClient, _near: OpenTables) -> None:
        with pytest.raises(TableRefused) as refused:
            await there.open(wanted_table("agonia", name="no name"))
        assert refused.value.field == "name"
        key = (await there.open(wanted_table("agent-avenue"))).key
        await play(there, key)
        again = (await there.rematch(key)).key
        assert again != key
        assert (await there.rematch(key)).key == again  # who presses the button twice has one seat

    far(tmp_path, test)


def test_where_nobody_listens_the_tables_are_away(tmp_path: Path) -> None:
    with pytest.raises(TablesUnreachable, match="cannot be reached"):
        asyncio.run(TablesClient(tmp_path / "tables.sock").offers())


def test_a_process_that_ends_without_an_answer_is_away(tmp_path: Path) -> None:
    async def test() -> None:
        async def silent(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.close()

        async with await asyncio.start_unix_server(silent, tmp_path / "tables.sock"):
            with pytest.raises(TablesUnreachable, match="cannot be reached"):
                await TablesClient(tmp_path / "tables.sock").offers()

    asyncio.run(test())


def test_nobody_but_this_user_may_call(tmp_path: Path) -> None:
    async def test(_there: TablesClient, _near: OpenTables) -> None:
        assert stat.S_IMODE((tmp_path / "tables.sock").stat().st_mode) == 0o600
        assert os.umask(0o22) == 0o22  # as it was

    os.umask(0o22)
    far(tmp_path, test)


def test_who_ends_a_call_is_no_page_any_more(tmp_path: Path) -> None:
    async def test(there: TablesClient, near: OpenTables) -> None:
        key = (await there.open(wanted_table("agonia", persons=2))).key
        (table,) = near._tables
        async with aclosing(there.follow(key)) as news:
            await anext(news)
            assert any(table._pages.values())
        for _ in range(100):
            await asyncio.sleep(0.01)
            if not any(table._pages.values()):
                return
        raise AssertionError("the page is still counted")

    far(tmp_path, test)


async def raw(folder: Path, content: bytes) -> bytes:
    """The reply to these bytes, until the other side closes."""
    reader, writer = await asyncio.open_unix_connection(str(folder / "tables.sock"))
    writer.write(content)
    writer.write_eof()
    try:
        return await asyncio.wait_for(reader.read(), 20)
    finally:
        writer.close()


@pytest.mark.parametrize("content", [b"", b"\0\0", b"\0\0\0\x05ab", b"\xff\xff\xff\xff", b"\0\0\0\x01\xc1"])
def test_bytes_that_are_no_call_end_that_connection_only(tmp_path: Path, content: bytes) -> None:
    async def test(there: TablesClient, _near: OpenTables) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _loop, _context: None)  # a bug of ours, noted
        assert await raw(tmp_path, content) == b""
        assert len(await there.offers()) == 3

    far(tmp_path, test)


def test_frames_carry_any_bytes_and_no_more_than_they_may() -> None:
    async def test() -> None:
        reader = asyncio.StreamReader()

        class Writer:
            def write(self, content: bytes) -> None:
                reader.feed_data(content)

            async def drain(self) -> None: ...

        for content in (b"", b"a", bytes(100_000)):
            await write_frame(Writer(), content)  # type: ignore[arg-type] # all that is used of it
            assert await read_frame(reader) == content
        reader.feed_data((MOST_BYTES + 1).to_bytes(4))
        with pytest.raises(BrokenFrame, match="a frame of"):
            await read_frame(reader)
        reader.feed_data(b"\0\0\0\x02a")
        reader.feed_eof()
        with pytest.raises(BrokenFrame, match="breaks off"):
            await read_frame(reader)
        assert await read_frame(reader) is None

    asyncio.run(test())


def test_calls_and_replies_survive_the_way() -> None:
    for call in (
        TablesCall("offers"),
        TablesCall("choose", ("key", 1, 0)),
        TablesCall("open", (wanted_table("agonia"),)),
    ):
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(call), type=TablesCall) == call
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(TablesReply(refusal="no")), type=TablesReply).refusal == "no"
