"""Event streams: one poll a beat for all followers, and a sign of life if nothing happens."""

import asyncio
from collections.abc import AsyncGenerator, Collection, Mapping
from contextlib import aclosing
from typing import Any

import pytest

from referee.core.errors import OurFailure
from tournaments.web.service import event_streams
from tournaments.web.service.event_streams import BEAT, Poller, stream


class Look:
    """Counts its polls, and fails when the test wants it to."""

    def __init__(self, *failures: Exception | None) -> None:
        self.looks = 0
        self._failures = list(failures)

    def __call__(self, topics: Collection[str]) -> Mapping[str, int]:
        self.looks += 1
        failure = self._failures.pop(0) if self._failures else None
        if failure is not None:
            raise failure
        return dict.fromkeys(topics, self.looks)


async def first(heartbeat: Poller[str, int], topic: str, beats: int = 1) -> list[int | None]:
    """The states of a topic at the first beats."""
    found: list[int | None] = []
    following: Any = heartbeat.follow(topic)
    async with aclosing(following) as seen:
        async for each in seen:
            found.append(each)
            if len(found) == beats:
                break
    return found


def test_however_many_follow_there_is_one_look_a_beat() -> None:
    look = Look()

    async def test() -> list[list[int | None]]:
        heartbeat: Poller[str, int] = Poller(look, every_s=0.01)
        return await asyncio.gather(*(first(heartbeat, topic, 3) for topic in "abcabc"))

    found = asyncio.run(test())
    assert all(seen == found[0] for seen in found)
    assert look.looks <= 4  # the last may begin before everybody has left


def test_a_store_that_fails_for_a_moment_is_looked_at_again() -> None:
    async def test() -> list[int | None]:
        return await first(Poller(Look(None, OurFailure("gone")), every_s=0.01), "a", 3)

    assert asyncio.run(test()) == [1, 1, 3]


def test_a_bug_reaches_everybody_who_follows_and_whoever_comes_later_follows_anew() -> None:
    async def test() -> None:
        heartbeat: Poller[str, int] = Poller(Look(None, ZeroDivisionError()), every_s=0.01)
        ended = await asyncio.gather(*(first(heartbeat, "a", 5) for _ in range(3)), return_exceptions=True)
        assert [type(each) for each in ended] == [ZeroDivisionError] * 3
        assert await first(heartbeat, "a") == [3]

    asyncio.run(asyncio.wait_for(test(), 60))


def chunks(source: AsyncGenerator[bytes, None]) -> list[bytes]:
    async def test() -> list[bytes]:
        return [chunk async for chunk in stream(source)]

    return asyncio.run(test())


def test_a_stream_in_which_nothing_happens_says_now_and_then_that_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_streams, "BEAT_S", 0.1)

    async def source() -> AsyncGenerator[bytes, None]:
        yield b"a"
        await asyncio.sleep(0.25)
        for _ in range(25):
            yield b""
            await asyncio.sleep(0.01)
        yield b"b"

    first, *beats, last = chunks(source())
    assert (first, last) == (b"a", b"b")
    assert len(beats) >= 2
    assert set(beats) == {BEAT} == {b"event: beat\ndata: {}\n\n"}


def test_a_stream_ends_after_an_hour_also_if_something_happens_all_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    assert event_streams.LONGEST_S == 3600
    monkeypatch.setattr(event_streams, "LONGEST_S", 0.2)

    async def source() -> AsyncGenerator[bytes, None]:
        while True:
            yield b"a"
            await asyncio.sleep(0.01)

    assert 1 <= len(chunks(source())) <= 21


def test_a_failure_of_the_source_reaches_who_reads_the_stream() -> None:
    async def source() -> AsyncGenerator[bytes, None]:
        yield b"a"
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        chunks(source())


def test_a_stream_that_is_left_is_closed_to_its_source() -> None:
    closed = False

    async def source() -> AsyncGenerator[bytes, None]:
        nonlocal closed
        try:
            while True:
                yield b"a"
        finally:
            closed = True

    async def test() -> None:
        left = stream(source())
        await anext(left)
        await left.aclose()

    asyncio.run(test())
    assert closed
