"""Bots that call the service: what they do wrong, what goes wrong with their connections, and what that costs."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from functools import wraps
from pathlib import Path
from typing import Any

import pytest
from wsproto.events import BytesMessage, TextMessage

from referee.core.errors import Void
from referee.http_server.client_clock import ClientTimeouts
from referee.match.terms import Clock
from referee.match.transcript import FaultKind, Transcript
from referee.runtime.remote_bot import Unreachable
from tests.runtime.rogues import faults
from tests.tournaments.web.service.callers import ANT, BEE, Caller, Hall, chosen, hall, honest, run
from tournaments.store import StoreError
from tournaments.web.service import seat_hub, seat_program

SESSION = "a" * 16
HASTY = Clock(move_ms=1_000, start_ms=60_000)


def in_a_loop(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    @wraps(test)
    def runs(**fixtures: Any) -> None:
        run(lambda: test(**fixtures))

    return runs


@pytest.fixture
def undisturbed() -> str:
    """The digest of the first match of two honest programs."""
    return digest_of_honest()


def digest_of_honest() -> str:
    found: list[str] = []

    async def play() -> None:
        async with hall() as here, honest(here, ANT), honest(here, BEE), here.table() as sitting:
            found.append((await sitting.play()).digest)

    run(play)
    return found[0]


def fault(transcript: Transcript) -> tuple[FaultKind, str]:
    """The fault of ant."""
    assert [seat for seat, _, _ in faults(transcript)] == [0]
    (note,) = transcript.metadata.remarks
    return transcript.record.faults[0].kind, note.text


async def met(caller: Caller, decision: int) -> dict[str, Any]:
    """Play until this decision is asked; that is not answered."""
    while (message := await caller.message()).get("number") != decision:
        caller.answer_to(message)
    return message


# The plain way


@in_a_loop
async def test_two_programs_play_one_match_after_the_other() -> None:
    async with hall() as here, honest(here, ANT) as ant, honest(here, BEE):
        for _ in range(2):
            async with here.table() as sitting:
                for _ in range(3):
                    assert faults(await sitting.play()) == []
        assert [each[:2] for each in here.hub.statuses.values()] == [(1, 0), (1, 0)]
        assert ant.status == 101


@in_a_loop
async def test_nothing_but_the_view_of_its_own_seat_is_in_a_frame() -> None:
    frames: list[str] = []
    async with hall() as here, honest(here, ANT, frames), honest(here, BEE), here.table() as sitting:
        transcript = await sitting.play()
    start, *decisions, end = map(json.loads, frames)
    assert set(start) == {
        *("type", "match_id", "game", "rules_version", "seat", "seats", "seed", "seed_hex", "clock", "options")
    }
    assert all(set(each) == {"type", "number", "view", "legal", "events", "time_left_ms"} for each in decisions)
    assert set(end) == {"type", "ending", "places", "events"}
    header, text = transcript.record.header, "".join(frames)
    for secret in (header.deal_seed, header.bot_seeds[1], "bee", "ant"):
        assert secret not in text


# A lost connection


@in_a_loop
async def test_nobody_there_postpones_the_match_in_clear_words() -> None:
    async with hall() as here, honest(here, BEE), here.table() as sitting:
        with pytest.raises(Unreachable, match=r"ant@1: no program of it is here"):
            await sitting.play()


@in_a_loop
async def test_no_service_postpones_the_match() -> None:
    async with hall() as here:
        here.place = Path("/nowhere")
        async with here.table() as sitting:
            with pytest.raises(Unreachable, match=r"ant@1: the service of the league does not run"):
                await sitting.play()


LOST = {  # what the program claims when it comes back: messages received, lines sent; and what it says first
    "before it has the start": (0, 0, []),
    "before it has answered": (3, 2, [1, 2]),
    "with its answer": (3, 3, [2]),
    "after its answer": (3, 3, [2]),
    "before it has the question": (2, 2, [1]),
}


@pytest.mark.parametrize("when", LOST)
@in_a_loop
async def test_a_program_that_comes_back_in_time_goes_on_as_if_nothing_had_happened(when: str) -> None:
    received, sent, repeated = LOST[when]
    undisturbed = await asyncio.to_thread(digest_of_honest)
    async with hall() as here, honest(here, BEE), here.table() as sitting:
        async with here.call(session=f"{SESSION} 0 0") as ant:
            match = asyncio.create_task(sitting.play())
            if received == 0:
                await ant.message()
            else:
                decision = await met(ant, 2)
            if when == "after its answer":
                ant.say(str(chosen(decision)))
                await ant.message()  # the next question, which it claims not to have
        async with here.call(session=f"{SESSION} {received} {sent}") as ant:
            for number in repeated:
                ant.say(str(chosen({"number": number, "legal": [0] * 3})))
            await asyncio.wait([match, asyncio.create_task(ant.play())], return_when=asyncio.FIRST_COMPLETED)
        transcript = await match
    assert faults(transcript) == []
    assert transcript.digest == undisturbed


@in_a_loop
async def test_a_program_may_be_away_while_its_opponent_thinks() -> None:
    undisturbed = await asyncio.to_thread(digest_of_honest)
    async with hall() as here, here.call(BEE) as bee, here.table() as sitting:
        async with here.call(session=f"{SESSION} 0 0") as ant:
            match = asyncio.create_task(sitting.play())
            playing = asyncio.create_task(ant.play())
            decision = await met(bee, 2)
            playing.cancel()
        await asyncio.sleep(0.1)
        async with here.call(session=f"{SESSION} 3 3") as ant:
            ant.say(str(chosen({"number": 2, "legal": [0] * 3})))
            bee.answer_to(decision)
            await asyncio.gather(
                match, *(asyncio.wait_for(each.play(), 3) for each in (ant, bee)), return_exceptions=True
            )
        transcript = match.result()
    assert faults(transcript) == []
    assert transcript.digest == undisturbed


@in_a_loop
async def test_a_program_that_does_not_come_back_has_crashed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seat_program, "RESUME_S", 0.2)
    async with hall() as here, honest(here, BEE), here.table() as sitting:
        async with here.call() as ant:
            match = asyncio.create_task(sitting.play())
            await met(ant, 2)
        text = "lost its connection, and did not come back within 0 s"
        assert fault(await match) == (FaultKind.CRASH, text)
        assert [each[0] for each in here.hub.statuses.values()] == [0, 1]


@in_a_loop
async def test_its_clock_runs_while_it_is_away() -> None:
    async with hall() as here, honest(here, BEE), here.table(clock=HASTY) as sitting:
        async with here.call() as ant:
            match = asyncio.create_task(sitting.play())
            await met(ant, 2)
        assert fault(await match) == (FaultKind.TIMEOUT, "did not answer decision 2 within 1000 ms")


@pytest.mark.parametrize(("code", "text"), [(1000, "hung up"), (1001, "hung up")])
@in_a_loop
async def test_a_program_that_says_goodbye_has_crashed_at_once(code: int, text: str) -> None:
    async with hall() as here, honest(here, BEE), here.call() as ant, here.table() as sitting:
        match = asyncio.create_task(sitting.play())
        await met(ant, 2)
        ant.goodbye(code)
        assert fault(await match) == (FaultKind.CRASH, text)


@in_a_loop
async def test_a_program_that_comes_back_too_late_is_told_to_begin_anew() -> None:
    async with hall() as here, here.call(session=f"{SESSION} 3 2") as ant:
        assert await ant.closed() == (4408, seat_program.LEFT_OUT[1])


@in_a_loop
async def test_another_session_does_not_get_into_a_match() -> None:
    async with hall() as here, honest(here, BEE), here.table() as sitting, here.call(session=f"{SESSION} 0 0") as ant:
        match = asyncio.create_task(sitting.play())
        decision = await met(ant, 2)
        async with here.call(session=f"{'b' * 16} 3 2") as other:
            assert other.status == 409
        async with here.call(BEE, f"{SESSION} 3 2", "ant") as other:
            assert other.status == 403
        ant.answer_to(decision)
        await asyncio.wait([match, asyncio.create_task(ant.play())], return_when=asyncio.FIRST_COMPLETED)
        assert faults(await match) == []


# Two for one seat


@in_a_loop
async def test_a_newer_program_replaces_one_that_waits_and_never_one_that_plays() -> None:
    async with hall() as here, here.call() as old, here.call() as ant:
        assert await old.closed() == (4409, seat_program.NEWER[1])
        async with honest(here, BEE), here.table() as sitting:
            match = asyncio.create_task(sitting.play())
            decision = await met(ant, 2)
            async with here.call() as third:
                assert third.status == 409
            ant.answer_to(decision)
            await asyncio.wait([match, asyncio.create_task(ant.play())], return_when=asyncio.FIRST_COMPLETED)
            assert faults(await match) == []


@in_a_loop
async def test_an_author_who_opens_a_thousand_has_as_many_as_the_league_file_says() -> None:
    async with hall(parallel=4) as here:
        callers = [await here.call().__aenter__() for _ in range(1000)]
        assert {each.status for each in callers} == {101}
        assert [await each.closed() for each in callers[:3]] == [(4409, seat_program.NEWER[1])] * 3
        assert here.hub.statuses[ANT][0] == 4
        for each in callers:
            each.lose()


@in_a_loop
async def test_there_is_a_limit_for_all_programs_together() -> None:
    async with hall(most=1) as here, here.call(), here.call(BEE) as bee:
        assert bee.status == 503


@in_a_loop
async def test_programs_do_not_count_as_visitors() -> None:
    timeouts = ClientTimeouts(connections=2, connections_each=2)
    async with hall(timeouts, parallel=8) as here, AsyncExitStack() as stack:
        callers = [await stack.enter_async_context(here.call()) for _ in range(6)]
        assert {each.status for each in callers} == {101}
        assert here.hub.statuses[ANT][0] == 6


# What a program may send


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("hello", "sent a line that is no answer: 'hello'; what people are to read belongs on stderr"),
        ("", "sent a line that is no answer: ''; what people are to read belongs on stderr"),
        ("!hung up", "sent a line that is no answer: '!hung up'; what people are to read belongs on stderr"),
        ("1\n!lost\n?", "sent a line that is no answer: '1 !lost ?'; what people are to read belongs on stderr"),
        (" " * 65_536 + "1", "sent a line over 64 KiB"),
        ("1" * 1_000_000, "sent a line over 64 KiB"),
    ],
    ids=["words", "nothing", "a word of the service", "several lines", "65 KiB", "a megabyte"],
)
@in_a_loop
async def test_a_frame_is_judged_as_a_line(content: str, text: str) -> None:
    async with hall() as here, honest(here, BEE), here.table() as sitting, here.call() as ant:
        match = asyncio.create_task(sitting.play())
        await met(ant, 2)
        ant.say(content)
        assert fault(await match) == (FaultKind.PROTOCOL, text)


@in_a_loop
async def test_a_binary_frame_is_read_as_text() -> None:
    undisturbed = await asyncio.to_thread(digest_of_honest)
    async with hall() as here, honest(here, BEE), here.table() as sitting, here.call() as ant:
        match = asyncio.create_task(sitting.play())
        decision = await met(ant, 2)
        ant.send(BytesMessage(data=str(chosen(decision)).encode()))
        await asyncio.wait([match, asyncio.create_task(ant.play())], return_when=asyncio.FIRST_COMPLETED)
        assert (await match).digest == undisturbed


@in_a_loop
async def test_a_frame_of_64_mib_ends_the_connection_before_it_is_read() -> None:
    async with hall() as here, honest(here, BEE), here.table() as sitting, here.call() as ant:
        match = asyncio.create_task(sitting.play())
        await met(ant, 2)
        for _ in range(64):
            ant.send(TextMessage(data="1" * (1 << 20), message_finished=False))
        assert fault(await match) == (FaultKind.CRASH, "sent a frame over 1 MiB")


@in_a_loop
async def test_a_flood_is_a_fault_and_fills_no_memory() -> None:
    async with hall() as here, honest(here, BEE), here.table() as sitting, here.call() as ant:
        match = asyncio.create_task(sitting.play())
        await met(ant, 2)
        before_kib = rss_kib()
        for _ in range(20_000):
            ant.say("0")
        flooding = asyncio.create_task(drained(ant))
        kind, _ = fault(await match)
        assert kind is FaultKind.PROTOCOL
        assert rss_kib() - before_kib < 64 << 10
        flooding.cancel()


@in_a_loop
async def test_a_flood_waits_outside_while_the_process_that_plays_takes_nothing_and_all_of_it_comes_later() -> None:
    async with hall() as here, here.call() as ant:
        answering = asyncio.create_task(drained(ant))  # to a ping
        reader, process = await asyncio.open_unix_connection(here.place)
        process.write(b'"ant@1"\n')
        assert await reader.readexactly(1) == b"+"
        (program,) = here.hub._seats[ANT].playing
        for _ in range(100):
            ant.say("0" * 60_000)
        await asyncio.sleep(0.3)
        assert program.line is not None
        assert program.line.transport.get_write_buffer_size() < 256 << 10
        for _ in range(100):
            assert await reader.readexactly(60_002) == b"=" + b"0" * 60_000 + b"\n"
        process.close()
        answering.cancel()


@pytest.mark.parametrize(
    "line", [b"{\n", b"[]\n", b"\xff\n", b"x" * (3 << 20)], ids=["no JSON", "no name", "no text", "endless"]
)
@in_a_loop
async def test_a_process_that_names_no_bot_is_cut_off(line: bytes) -> None:
    async with hall() as here:
        reader, process = await asyncio.open_unix_connection(here.place)
        process.write(line)
        with suppress(ConnectionError):
            assert await reader.read() == b""
        process.close()


@in_a_loop
async def test_a_program_that_speaks_while_it_waits_is_sent_away() -> None:
    async with hall() as here, here.call() as ant:
        ant.say("ready")
        assert await ant.closed() == (4400, "spoke without being asked")
        assert here.hub.statuses[ANT][0] == 0


@in_a_loop
async def test_a_program_that_does_not_read_runs_out_of_time() -> None:
    clock = Clock(move_ms=500, start_ms=60_000)
    async with hall() as here, honest(here, BEE), here.call() as ant, here.table(clock=clock) as sitting:
        match = asyncio.create_task(sitting.play())
        await met(ant, 1)  # and it reads no more
        assert fault(await match) == (FaultKind.TIMEOUT, "did not answer decision 1 within 500 ms")


# Connections that look open


@in_a_loop
async def test_a_program_that_answers_no_ping_gets_no_match() -> None:
    async with hall() as here, honest(here, BEE), here.call() as ant, here.table() as sitting:
        ant.is_deaf = True
        match = asyncio.create_task(sitting.play())
        closed = await ant.closed()
        with pytest.raises(Unreachable, match="no program of it is here"):
            await match
        assert closed[0] in {1006, 4408}
        assert ant.pings >= 1


@in_a_loop
async def test_a_program_that_waits_and_answers_no_ping_is_away_before_a_match_needs_it() -> None:
    async with hall() as here, here.call() as ant:
        ant.is_deaf = True
        assert (await ant.closed())[0] == 1006
        assert here.hub.statuses[ANT][0] == 0


# The service and the process that plays


@in_a_loop
async def test_a_match_is_void_when_the_service_is_lost_in_it() -> None:
    async with hall() as here, honest(here, BEE), here.table() as sitting, here.call() as ant:
        match = asyncio.create_task(sitting.play())
        await met(ant, 2)
        cut_from_the_workers(here)
        with pytest.raises(Void, match="the service was lost"):
            await match


@in_a_loop
async def test_a_match_is_void_when_the_service_is_lost_while_an_opponent_thinks() -> None:
    async with hall() as here, here.call(BEE) as bee, honest(here, ANT), here.table() as sitting:
        match = asyncio.create_task(sitting.play())
        decision = await met(bee, 2)
        (ant_seat, _) = here.hub._seats.values()
        for program in ant_seat.playing:
            assert program.line is not None
            program.line.transport.abort()
        await asyncio.sleep(0.1)
        bee.answer_to(decision)
        with pytest.raises(Void, match="the service was lost"):
            await match


@in_a_loop
async def test_a_match_that_has_not_begun_is_postponed_when_the_service_is_lost() -> None:
    async with hall() as here, honest(here, BEE), here.table() as sitting, here.call() as ant:
        match = asyncio.create_task(sitting.play())
        assert (await ant.message())["type"] == "start"
        cut_from_the_workers(here)
        with pytest.raises(Unreachable):
            await match


@in_a_loop
async def test_all_programs_of_a_match_begin_anew_when_the_process_that_plays_it_is_gone() -> None:
    async with hall() as here, here.call() as ant, here.call(BEE) as bee:
        playing = asyncio.create_task(bee.play())
        async with here.table() as sitting:
            match = asyncio.create_task(sitting.play())
            await met(ant, 2)
            match.cancel()
        assert await ant.closed() == (4408, seat_program.LEFT_OUT[1])
        await playing  # it has answered, and is sent away, too
        async with honest(here, ANT), honest(here, BEE), here.table() as sitting:
            assert faults(await sitting.play()) == []


@in_a_loop
async def test_before_a_restart_the_match_is_played_to_its_end_and_the_next_one_is_postponed() -> None:
    async with hall() as here, honest(here, BEE), here.table() as sitting, here.call() as ant:
        match = asyncio.create_task(sitting.play())
        decision = await met(ant, 2)
        draining = asyncio.create_task(here.hub.drain())
        async with here.call() as late:
            assert late.status == 503
        assert not draining.done()
        ant.answer_to(decision)
        playing = asyncio.create_task(ant.play())
        assert faults(await match) == []
        with pytest.raises(Unreachable, match="the service starts again"):
            await sitting.play()
        await draining
        await playing  # it was closed


@in_a_loop
async def test_a_program_that_waits_is_sent_away_before_a_restart() -> None:
    async with hall() as here, here.call() as ant:
        await here.hub.drain()
        assert await ant.closed() == (1012, "the service starts again")


# Tokens, and the end of the league


@in_a_loop
async def test_a_program_whose_token_has_ended_gets_no_match() -> None:
    async with hall() as here, here.call() as ant, honest(here, BEE), here.table() as sitting:
        del here.authors["ant"]
        with pytest.raises(Unreachable):
            await sitting.play()
        assert await ant.closed() == (4401, "the token is not valid any more")


@in_a_loop
async def test_a_program_whose_token_ends_in_a_match_is_sent_away_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seat_hub, "LOOK_S", 0.05)

    async def is_over() -> bool:
        return False

    async with hall() as here, honest(here, BEE), here.table() as sitting, here.call() as ant:
        keeping = asyncio.create_task(here.hub.keep(is_over))
        match = asyncio.create_task(sitting.play())
        decision = await met(ant, 2)
        del here.authors["ant"]
        await asyncio.sleep(0.2)
        while decision.get("type") != "end":
            ant.answer_to(decision)
            decision = await ant.message()
        assert faults(await match) == []
        assert await ant.closed() == (4401, "the token is not valid any more")
        keeping.cancel()


@in_a_loop
async def test_when_the_league_is_over_all_programs_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seat_hub, "LOOK_S", 0.05)

    async def is_over() -> bool:
        return True

    async with hall() as here, here.call() as ant:
        keeping = asyncio.create_task(here.hub.keep(is_over))
        assert await ant.closed() == (4410, "the league is over")
        keeping.cancel()


@in_a_loop
async def test_programs_stay_and_play_while_the_store_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seat_hub, "LOOK_S", 0.02)
    looks = 0

    async def fail(*_: str) -> bool:
        nonlocal looks
        looks += 1
        raise StoreError("the server does not answer")

    async with hall() as here, honest(here, ANT), honest(here, BEE), here.table() as sitting:
        monkeypatch.setattr(here.hub, "owners_of", fail)
        keeping = asyncio.create_task(here.hub.keep(fail))
        while looks < 6:
            await asyncio.sleep(0.02)
        assert faults(await sitting.play()) == []
        assert not keeping.done()
        keeping.cancel()


@pytest.mark.parametrize(
    ("entry", "token", "session", "status"),
    [
        ("cat@1", "ant", None, 404),
        (ANT, "bee", None, 403),
        (ANT, "nobody", None, 403),
        (ANT, "ant", "short 0 0", 400),
        (ANT, "ant", f"{SESSION} -1 0", 400),
    ],
)
@in_a_loop
async def test_a_call_that_cannot_be_is_refused(entry: str, token: str, session: str | None, status: int) -> None:
    async with hall() as here, here.call(entry, session, token) as caller:
        assert caller.status == status


def cut_from_the_workers(here: Hall) -> None:
    """Cut all connections to those who play, as kill -9 does."""
    for seat in here.hub._seats.values():
        for program in seat.playing:
            assert program.line is not None
            program.line.transport.abort()


async def drained(caller: Caller) -> None:
    while await caller.next() is not None:
        pass


def rss_kib() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4
