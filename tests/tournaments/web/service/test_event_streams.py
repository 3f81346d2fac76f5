"""Event streams: one poll a beat for all followers, and a comment if nothing happens."""

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import aclosing
from typing import Any

from referee.core.errors import OurFailure
from tournaments.web.service.event_streams import STILL_THERE, Poller, audible


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


def test_a_stream_in_which_nothing_happens_says_now_and_then_that_it_is_there() -> None:
    async def beats() -> AsyncIterator[bytes]:
        for happened in (b"a", *[b""] * 25, b"b"):
            yield happened

    async def test() -> list[bytes]:
        return [chunk async for chunk in audible(beats())]

    assert asyncio.run(test()) == [b"a", STILL_THERE, STILL_THERE, b"b"]


def test_a_stream_ends_after_an_hour_also_if_something_happens_all_the_time() -> None:
    async def beats() -> AsyncIterator[bytes]:
        while True:
            yield b"a"

    async def test() -> int:
        return len([chunk async for chunk in audible(beats())])

    assert asyncio.run(test()) == 3600


def test_a_stream_that_is_left_is_closed_to_its_source() -> None:
    closed = False

    async def beats() -> AsyncIterator[bytes]:
        nonlocal closed
        try:
            while True:
                yield b"a"
        finally:
            closed = True

    async def test() -> None:
        stream: Any = audible(beats())
        await anext(stream)
        await stream.aclose()

    asyncio.run(test())
    assert closed
