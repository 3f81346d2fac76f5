"""Streams of server-sent events, and live updates for viewers of a league.

The server reads the store once a second, for any number of followers and viewers.
"""

import asyncio
import contextlib
import math
import time
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Collection, Mapping
from contextlib import aclosing
from typing import Generic, TypeVar

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse

from referee.core.errors import OurFailure
from tournaments.league.submissions import State
from tournaments.results.live_status import MatchRate
from tournaments.web.queries import Pulse
from tournaments.web.service.authentication import Caller
from tournaments.web.service.league_service import LeagueService
from tournaments.web.service.places import Places
from tournaments.web.service.submission_events import Follower
from tournaments.web.service.worker_messages import WorkBoard

BEAT = b"event: beat\ndata: {}\n\n"
"""A sign of life. By it the server and the client notice a lost connection: scripts hear events, and no comments."""

BEAT_S = 15.0
"""After so much silence a stream gives a sign of life, in seconds."""

LONGEST_S = 3600.0
"""The time after which a stream ends, in seconds. Browsers and `referee submit` then connect again."""

Topic = TypeVar("Topic")
TopicState = TypeVar("TopicState")


class Poller(Generic[Topic, TopicState]):
    """Polls the followed topics, once a beat while there are followers, and passes the results to all followers."""

    def __init__(self, look: Callable[[Collection[Topic]], Mapping[Topic, TopicState]], every_s: float = 1.0) -> None:
        """`look` receives the followed topics, and runs in a thread."""
        self._look = look
        self._every_s = every_s
        self._followed: Counter[Topic] = Counter()
        self._states: Mapping[Topic, TopicState] = {}
        self._beat = asyncio.Event()
        self._beating: asyncio.Task[None] | None = None
        self._bug: Exception | None = None

    async def follow(self, topic: Topic) -> AsyncGenerator[TopicState | None, None]:
        """The state of a topic at each beat; None if there is none."""
        self._followed[topic] += 1
        if self._beating is None:
            self._beating = asyncio.create_task(self._go_on())
        try:
            while True:
                await self._beat.wait()
                if self._bug is not None:
                    raise self._bug
                yield self._states.get(topic)
        finally:
            self._followed[topic] -= 1

    async def _go_on(self) -> None:
        self._bug = None
        try:
            while +self._followed:
                self._followed = +self._followed
                with contextlib.suppress(OurFailure):  # the store will be back; followers see nothing new meanwhile
                    self._states = await run_in_threadpool(self._look, list(self._followed))
                self._tell()
                await asyncio.sleep(self._every_s)
        except Exception as bug:  # the followers raise it
            self._bug = bug
            self._tell()
        self._beating = None

    def _tell(self) -> None:
        beat, self._beat = self._beat, asyncio.Event()
        beat.set()


class SubmissionFeed:
    """The event streams of the submissions of one league."""

    def __init__(self, league_service: LeagueService, board: WorkBoard, followers: Places) -> None:
        """`board` has the messages of the submission worker that are not stored yet; `followers` count by author."""
        self._league_service = league_service
        self._followers = followers
        self._board = board
        # The league may have other submissions later.
        self._heartbeat = Poller[int, tuple[State, int]](lambda of: league_service.submissions.states(of))  # noqa: PLW0108

    def events(self, number: int, asker: Caller) -> AsyncGenerator[bytes, None]:
        """The steps of a submission, as server-sent events, to the end.

        Raises:
            NotThere: there is none of this number, or it is somebody else's.
            Problem: too many streams are followed (503), or too many by this author (429).
            StoreError: the store fails.
        """
        return stream(self._beats(number, asker))

    async def _beats(self, number: int, asker: Caller) -> AsyncGenerator[bytes, None]:
        showing, follower = self._league_service.to(asker), Follower()
        with self._followers.one(asker.bucket):
            seen = await run_in_threadpool(showing.submission, number)
            yield BEAT
            async with aclosing(self._heartbeat.follow(number)) as beats:
                async for stands in beats:
                    if stands != (seen.state, seen.changed_ms):
                        with contextlib.suppress(OurFailure):  # the store will be back; the next beat looks again
                            seen = await run_in_threadpool(showing.submission, number)
                    steps = list(follower.steps(seen, self._board.live(self._league_service.league.name, number)))
                    yield b"".join(event("step", step) for step in steps)
                    if steps and steps[-1].is_over:
                        return


async def stream(source: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    """What the source yields, for an hour, and a sign of life after each silence. Empty bytes are silence."""
    clock_s = asyncio.get_running_loop().time
    end_s = clock_s() + LONGEST_S
    async with aclosing(source):
        coming, beat_s = asyncio.ensure_future(anext(source)), clock_s() + BEAT_S
        try:
            while clock_s() < end_s:
                await asyncio.wait([coming], timeout=beat_s - clock_s())
                events = BEAT
                if coming.done():
                    events = coming.result()
                    coming = asyncio.ensure_future(anext(source))
                if events:
                    yield events
                    beat_s = clock_s() + BEAT_S
        except StopAsyncIteration:
            return
        finally:
            coming.cancel()
            await asyncio.gather(coming, return_exceptions=True)


def event(name: str, data: object) -> bytes:
    """An event with data of one line: JSON has no line breaks."""
    return f"event: {name}\ndata: ".encode() + msgspec.json.encode(data) + b"\n\n"


async def streaming(events: AsyncGenerator[bytes, None]) -> Response:
    """The answer with a stream of events. What refuses the stream before its first bytes is raised here."""
    first = await anext(events)

    async def whole() -> AsyncIterator[bytes]:
        async with aclosing(events):
            yield first
            async for each in events:
                yield each

    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(whole(), 200, headers, "text/event-stream")


MOST, MOST_EACH = 256, 64
"""The limits of simultaneous viewers: in all, and from one network."""

_PULSE = "pulse"
_STALE_S = 10.0
"""The seconds after which a measured speed is out of date."""


class LiveCounts(msgspec.Struct, frozen=True):
    """The counts that change from second to second.

    Attributes:
        stored: how many matches are stored.
    """

    stored: int


class LivePages:
    """The live viewers of one league."""

    def __init__(self, league_service: LeagueService) -> None:
        """Begin without viewers."""
        self._league_service = league_service
        self._speed = MatchRate()
        self._looked_s = -math.inf
        self._heartbeat: Poller[str, Pulse] = Poller(self._look)
        self._places = Places(
            MOST,
            MOST_EACH,
            "too many people look at this league now; load the page again later",
            "too many pages of this league are open at once; close some",
            retry_after_s=30,
        )

    def left_s(self, remaining: int) -> float | None:
        """The seconds that so many matches may take; None if nobody watched just now, or no match was stored."""
        speed = self._speed.a_second if self._is_fresh(time.monotonic()) else None
        return remaining / speed if speed else None

    def events(self, network: str) -> AsyncGenerator[bytes, None]:
        """The changes, as server-sent events: `counts`, and `changed` if a page may have changed.

        Raises:
            Problem: there are too many viewers (503), or too many from this network (429).
        """
        return stream(self._beats(network))

    async def _beats(self, network: str) -> AsyncGenerator[bytes, None]:
        with self._places.one(network):
            yield BEAT
            before: Pulse | None = None
            async with aclosing(self._heartbeat.follow(_PULSE)) as pulses:
                async for pulse in pulses:
                    yield b"" if pulse is None else b"".join(_news(before, pulse))
                    before = pulse or before

    def _look(self, _topics: Collection[str]) -> Mapping[str, Pulse]:
        pulse = self._league_service.published_league.pulse()
        now_s = time.monotonic()
        if not self._is_fresh(now_s):
            self._speed = MatchRate()
        self._speed.note(now_s, pulse.stored)
        self._looked_s = now_s
        return {_PULSE: pulse}

    def _is_fresh(self, now_s: float) -> bool:
        return now_s - self._looked_s < _STALE_S


def _news(before: Pulse | None, now: Pulse) -> list[bytes]:
    """The events between two polls. At the first poll the page is as new as the poll."""
    if before is None or before == now:
        return []
    counts = event("counts", LiveCounts(now.stored))
    if msgspec.structs.replace(before, stored=now.stored) == now:
        return [counts]
    return [counts, event("changed", {})]
