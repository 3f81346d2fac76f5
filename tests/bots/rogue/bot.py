"""A bot that misbehaves in one way: `python start.py ADDRESS HOW [CERTIFICATE KEY]`. HOW names a function below.

In everything else it is honest: it chooses the action whose index is the decision's number, modulo the number of
actions. It writes raw bytes, so that it can send what generated code would not send.

It is started hundreds of times. So what only one of the functions needs is imported there.
"""

import contextlib
import os
import select
import signal
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from functools import partial
from typing import NamedTuple, NoReturn

from tests.bots import by_hand
from tests.rogues.bots.bot import READY, asked
from tests.rogues.bots.frames import field, fields

HOUR_S = 3600.0
OFF_TURN_S = 0.05
"""After this time another seat is thinking, if that seat `thinks`."""

PAINT = "\x1b[2J\x9b31mred\u202e\u2028\x85\rdigest: forged\ndigest: forged"
"""Clears a terminal, colours it, reverses its text, and tries to look like a line of the referee."""

START, DECISION, END = 1, 2, 3
"""Which message it is: the number of its only field."""

LAST_FIELD = 8
"""No message to bots has a field with a higher number."""

DRIPPING: list[bool] = []
"""Once there is something in it, every byte is passed on alone."""


class Decision(NamedTuple):
    """What is asked: the number of the decision, how many actions it has, and how much time is left for it."""

    number: int
    legal: int
    time_left_ms: int


Messages = AsyncIterator[bytes]
Speak = Callable[[bytes], Awaitable[None]]
Strike = Callable[[Decision, Speak], Awaitable[None]]
Life = Callable[[Messages, Speak], Coroutine[None, None, None]]


def read(message: bytes) -> tuple[int, bytes]:
    """Which message it is, and what is in it."""
    ((kind, body),) = fields(message)
    assert isinstance(body, bytes)
    return kind, body


def choice(number: int, index: int | None) -> bytes:
    return field(2, field(1, number) + (b"" if index is None else field(2, index)))


def honest(decision: Decision) -> bytes:
    return choice(decision.number, decision.number % decision.legal)


async def pause(seconds: float) -> None:
    """Wait. Where gRPC's own library serves, its event loop must go on meanwhile."""
    if "asyncio" in sys.modules:
        await sys.modules["asyncio"].sleep(seconds)
    else:
        time.sleep(seconds)


async def speaks_honestly(decision: Decision, speak: Speak) -> None:
    await speak(honest(decision))


async def is_silent() -> None:
    pass


async def plays(
    messages: Messages,
    speak: Speak,
    at_decision_2: Strike = speaks_honestly,
    at_end: Callable[[], Awaitable[None]] = is_silent,
) -> None:
    async for message in messages:
        kind, body = read(message)
        if kind == START:
            await speak(READY)
        elif kind == END:
            await at_end()
        elif (decision := Decision(*asked(body))).number == 2:
            await at_decision_2(decision, speak)
        else:
            await speak(honest(decision))


# What it may do at decision 2.


async def hangs(_decision: Decision, _speak: Speak) -> None:
    time.sleep(HOUR_S)


async def is_late(decision: Decision, speak: Speak) -> None:
    await pause(decision.time_left_ms / 1000 + 0.3)
    await speak(honest(decision))


async def drips(decision: Decision, speak: Speak) -> None:
    DRIPPING.append(True)
    unknown_field = b"\x7a\x88\x27" + bytes(5000)  # long enough to drip for many seconds
    await speak(honest(decision) + unknown_field)


async def compresses(decision: Decision, speak: Speak) -> None:
    unknown_field = b"\x7a\x88\x27" + bytes(5000)  # gRPC leaves short messages as they are
    await speak(honest(decision) + unknown_field)


async def dies(_decision: Decision, _speak: Speak) -> None:
    complain("about to die")
    os._exit(3)


async def leaves_a_child_with_its_connection(_decision: Decision, _speak: Speak) -> None:
    if os.fork() == 0:
        hold_all_open()
    os._exit(3)


async def leaves_a_session_with_its_connection(_decision: Decision, _speak: Speak) -> None:
    if os.fork() == 0:
        os.setsid()
        hold_all_open()
    os._exit(3)


def hold_all_open() -> NoReturn:
    """Hold every connection until the other side hangs up on one, or for a minute."""
    poll = select.poll()
    for number in range(3, 64):
        with contextlib.suppress(OSError):
            if os.readlink(f"/proc/self/fd/{number}").startswith("socket:"):  # noqa: PTH115 - without more imports
                poll.register(number, select.POLLRDHUP)
    poll.poll(60_000)
    os._exit(0)


async def is_killed(_decision: Decision, _speak: Speak) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


async def raises(_decision: Decision, _speak: Speak) -> None:
    raise ValueError("I cannot think")


async def says_a_wrong_number(decision: Decision, speak: Speak) -> None:
    await speak(choice(decision.number + 5, 0))


async def says_no_index(decision: Decision, speak: Speak) -> None:
    await speak(choice(decision.number, None))


async def says_too_high_an_index(decision: Decision, speak: Speak) -> None:
    await speak(choice(decision.number, decision.legal))


async def is_unavailable(decision: Decision, speak: Speak) -> None:
    note = field(1, b"503\x1b[31m") + field(2, 2) + field(3, 70)
    await speak(field(4, field(1, decision.number) + field(2, note)))


async def is_unavailable_at_the_start(messages: Messages, speak: Speak) -> None:
    async for _ in messages:
        await speak(field(4, b""))


async def says_an_empty_message(_decision: Decision, speak: Speak) -> None:
    await speak(b"")


async def says_garbage(_decision: Decision, speak: Speak) -> None:
    await speak(b"\xff\xff garbage")


async def says_ready(_decision: Decision, speak: Speak) -> None:
    await speak(READY)


async def says_too_much(_decision: Decision, speak: Speak) -> None:
    await speak(bytes(64 * 1024 + 1))


async def floods(decision: Decision, speak: Speak) -> None:
    while True:
        await speak(honest(decision))


async def answers_twice(decision: Decision, speak: Speak) -> None:
    await speak(honest(decision))
    await speak(honest(decision))


async def speaks_off_turn(decision: Decision, speak: Speak) -> None:
    await speak(honest(decision))
    await pause(OFF_TURN_S)
    await speak(READY)


async def dies_off_turn(decision: Decision, speak: Speak) -> None:
    await speak(honest(decision))
    await pause(OFF_TURN_S)
    os._exit(4)


async def hangs_up_off_turn(decision: Decision, speak: Speak) -> None:
    await speak(honest(decision))
    await pause(OFF_TURN_S)
    raise ValueError("enough")


async def floods_stderr(_decision: Decision, _speak: Speak) -> None:
    for number in range(20_000):
        complain(f"line {number} of far too many")
    os._exit(5)


async def thinks(decision: Decision, speak: Speak) -> None:
    """Is honest, but slow."""
    await pause(6 * OFF_TURN_S)
    await speak(honest(decision))


# What it may do with its stream.


async def ends_its_stream(messages: Messages, speak: Speak) -> None:
    async for message in messages:
        kind, body = read(message)
        if kind == START:
            await speak(READY)
            continue
        decision = Decision(*asked(body))
        if decision.number == 2:
            return
        await speak(honest(decision))


async def speaks_first(messages: Messages, speak: Speak) -> None:
    await speak(choice(0, 0))
    await plays(messages, speak)


async def is_never_ready(messages: Messages, _speak: Speak) -> None:
    async for _ in messages:
        await pause(HOUR_S)


async def dies_at_the_start(messages: Messages, _speak: Speak) -> None:
    async for _ in messages:
        os._exit(3)


async def dies_when_it_is_called(_messages: Messages, _speak: Speak) -> None:
    os._exit(3)


async def stops_reading(messages: Messages, speak: Speak) -> None:
    """Reads a start and decision 1, and nothing more."""
    async for message in messages:
        kind, body = read(message)
        if kind == START:
            await speak(READY)
        else:
            await speak(honest(Decision(*asked(body))))
            await pause(HOUR_S)


async def speaks_after_the_end(messages: Messages, speak: Speak) -> None:
    await plays(messages, speak, at_end=lambda: speak(READY))


async def dies_after_the_end(messages: Messages, speak: Speak) -> None:
    async def die() -> None:
        os._exit(6)

    await plays(messages, speak, at_end=die)


async def dies_at_the_second_start(messages: Messages, speak: Speak) -> None:
    """Dies at its second match, and in every process but the first already at its first match."""
    before = os.path.exists("started")  # noqa: PTH110 - without pathlib it starts sooner
    open("started", "w").close()  # noqa: PTH123 - likewise

    async def first_match() -> AsyncIterator[bytes]:
        starts = before
        async for raw in messages:
            if read(raw)[0] == START:
                if starts:
                    os._exit(7)
                starts = True
            yield raw

    await plays(first_match(), speak)


async def keeps_its_stream(messages: Messages, speak: Speak) -> None:
    await plays(messages, speak)
    await pause(HOUR_S)


async def remembers(messages: Messages, speak: Speak) -> None:
    """Chooses by how many matches it has played, as no bot may."""
    matches = 0
    async for message in messages:
        kind, body = read(message)
        if kind == START:
            matches += 1
            await speak(READY)
        elif kind == DECISION:
            decision = Decision(*asked(body))
            await speak(choice(decision.number, matches % decision.legal))


async def gambles(messages: Messages, speak: Speak) -> None:
    """Takes its random numbers from a source other than its seed."""
    async for message in messages:
        kind, body = read(message)
        if kind == START:
            await speak(READY)
        elif kind == DECISION:
            decision = Decision(*asked(body))
            await speak(choice(decision.number, os.urandom(1)[0] % decision.legal))


async def minds_unknown_fields(messages: Messages, speak: Speak) -> None:
    async def known() -> AsyncIterator[bytes]:
        async for raw in messages:
            if any(number > LAST_FIELD for number, _ in fields(read(raw)[1])):
                raise ValueError("what is this?")
            yield raw

    await plays(known(), speak)


async def ends_its_stream_after_the_end(messages: Messages, speak: Speak) -> None:
    async for message in messages:
        kind, body = read(message)
        if kind == END:
            return
        await speak(honest(Decision(*asked(body))) if kind == DECISION else READY)


async def records(messages: Messages, speak: Speak) -> None:
    """Writes down what it receives, one line of hex for each message."""

    async def recorded() -> AsyncIterator[bytes]:
        with open("heard", "a", buffering=1) as file:  # noqa: PTH123 - without pathlib it starts sooner
            async for raw in messages:
                file.write(raw.hex() + "\n")
                yield raw

    await plays(recorded(), speak)


# What it may do before it serves.


def exits() -> None:
    complain("no licence found")
    sys.exit(3)


def never_serves() -> None:
    time.sleep(HOUR_S)


def ignores_sigterm() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def leaves_children() -> None:
    """Leaves two children. One is in a process group of its own."""
    import subprocess  # noqa: PLC0415

    for group in (None, 0):
        subprocess.Popen(["sleep", str(HOUR_S)], process_group=group)


def spins() -> None:
    """Uses all the processor time that it gets."""
    import threading  # noqa: PLC0415

    def burn() -> None:
        while True:
            pass

    threading.Thread(target=burn, daemon=True).start()


def looks_around() -> None:
    """Writes down what it was given."""
    import json  # noqa: PLC0415
    from pathlib import Path  # noqa: PLC0415

    found = {
        "variables": dict(os.environ),
        "folder": str(Path.cwd()),
        "stdin": sys.stdin.read(),
        "files": sorted(int(link.name) for link in Path("/proc/self/fd").iterdir() if link.exists()),
        "leads_group": os.getpgid(0) == os.getpid(),
        "leads_session": os.getsid(0) == os.getpid(),
    }
    Path("found").write_text(json.dumps(found))


STRIKES: dict[str, Strike] = {
    strike.__name__: strike
    for strike in (
        hangs, is_late, drips, compresses, dies, is_killed, leaves_a_child_with_its_connection,
        leaves_a_session_with_its_connection, raises, says_a_wrong_number, says_no_index,
        says_too_high_an_index, is_unavailable, says_an_empty_message, says_garbage, says_ready, says_too_much, floods,
        answers_twice, speaks_off_turn,
        dies_off_turn, hangs_up_off_turn, floods_stderr, thinks,
    )
}  # fmt: skip
LIVES: dict[str, Life] = {
    life.__name__: life
    for life in (
        ends_its_stream, is_unavailable_at_the_start,
        speaks_first, is_never_ready, dies_at_the_start, dies_when_it_is_called, stops_reading,
        speaks_after_the_end, dies_after_the_end, dies_at_the_second_start, keeps_its_stream, remembers, gambles,
        minds_unknown_fields, ends_its_stream_after_the_end, records,
    )
}  # fmt: skip
STARTS: dict[str, Callable[[], None]] = {
    start.__name__: start for start in (exits, never_serves, ignores_sigterm, leaves_children, spins, looks_around)
}


def complain(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


BY_LIBRARY = {
    "cancels_its_stream", "compresses", "drips", "floods", "hangs_up_off_turn", "is_exhausted", "knows_one_version",
    "minds_unknown_fields", "paints", "raises", "reads_short_messages", "refuses_to_describe_itself",
    "serves_one_at_a_time", "stops_reading",
}  # fmt: skip
"""The rogues that need gRPC's own library even on a socket, because of what they do. It serves everybody on a port."""


def description(how: str) -> bytes:
    """What it says of itself."""
    if how == "describes_itself_with_garbage":
        return b"\xff\xff garbage"
    name = {"has_another_name": "somebody", "paints_its_name": PAINT}.get(how, "rogue")
    game = b"chess" if how == "plays_another_game" else b"*"
    return field(1, name.encode()) + field(2, b"1") + field(3, game)


def life(how: str) -> Life:
    """What it does with its stream."""
    return LIVES.get(how) or partial(plays, at_decision_2=STRIKES.get(how, speaks_honestly))


def play_by_hand(how: str, messages: Iterator[bytes], say: by_hand.Speak) -> None:
    """Play where everything waits: nothing else goes on meanwhile."""

    async def heard() -> AsyncIterator[bytes]:
        for message in messages:
            yield message

    async def speak(message: bytes) -> None:
        say(message)

    with contextlib.suppress(StopIteration):
        life(how)(heard(), speak).send(None)


def serve(address: str, how: str, tls: list[str]) -> None:
    """Serve by hand if that is enough, since that starts sooner."""
    if address.startswith("unix:") and how not in BY_LIBRARY:
        by_hand.serve(address, lambda _: description(how), partial(play_by_hand, how))
    else:
        from tests.bots.rogue import library  # noqa: PLC0415 - it takes longer than all the rest

        library.serve(address, how, tls, library.Rogue(how, description(how), life(how), PAINT), DRIPPING)


def main() -> None:
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    if sys.argv[2] in STARTS:
        STARTS[sys.argv[2]]()
    serve(sys.argv[1], sys.argv[2], sys.argv[3:])
