"""A bot that misbehaves in one way: `python bot.py ADDRESS HOW [CERTIFICATE KEY]`. HOW names a function below.

In everything else it is honest: it chooses the action whose index is the decision's number, modulo the number of
actions. It writes raw bytes, so that it can send what generated code would not send.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc
from google.protobuf.unknown_fields import UnknownFieldSet
from grpc import aio
from referee_bot.v1 import bot_pb2 as pb

MINOR = 2  # the minor version of the protocol that the referee speaks now

HOUR_S = 3600.0
OFF_TURN_S = 0.05
"""After this time another seat is thinking, if that seat `thinks`."""

PAINT = "\x1b[2J\x9b31mred\u202e\u2028\x85\rdigest: forged\ndigest: forged"
"""Clears a terminal, colours it, reverses its text, and tries to look like a line of the referee."""

Messages = AsyncIterator[bytes]
Speak = Callable[[bytes], Awaitable[None]]
Strike = Callable[[pb.Decision, Speak], Awaitable[None]]


def choice(number: int, index: int | None) -> bytes:
    return pb.BotMessage(choice=pb.Choice(decision=number, index=index)).SerializeToString()


READY = pb.BotMessage(ready=pb.Ready()).SerializeToString()


def honest(decision: pb.Decision) -> bytes:
    return choice(decision.number, decision.number % len(decision.legal))


async def speaks_honestly(decision: pb.Decision, speak: Speak) -> None:
    await speak(honest(decision))


async def is_silent() -> None:
    pass


async def plays(
    messages: Messages,
    speak: Speak,
    at_decision_2: Strike = speaks_honestly,
    at_end: Callable[[], Awaitable[None]] = is_silent,
) -> None:
    async for raw in messages:
        message = pb.RefereeMessage.FromString(raw)
        if message.HasField("match_start"):
            await speak(READY)
        elif message.HasField("match_end"):
            await at_end()
        elif message.decision.number == 2:
            await at_decision_2(message.decision, speak)
        else:
            await speak(honest(message.decision))


# What it may do at decision 2.


async def hangs(_decision: pb.Decision, _speak: Speak) -> None:
    time.sleep(HOUR_S)


async def is_late(decision: pb.Decision, speak: Speak) -> None:
    await asyncio.sleep(decision.time_left_ms / 1000 + 0.3)
    await speak(honest(decision))


async def drips(decision: pb.Decision, speak: Speak) -> None:
    PROXY.drips = True
    unknown_field = b"\x7a\x88\x27" + bytes(5000)  # long enough to drip for many seconds
    await speak(honest(decision) + unknown_field)


async def compresses(decision: pb.Decision, speak: Speak) -> None:
    unknown_field = b"\x7a\x88\x27" + bytes(5000)  # gRPC leaves short messages as they are
    await speak(honest(decision) + unknown_field)


async def dies(_decision: pb.Decision, _speak: Speak) -> None:
    complain("about to die")
    os._exit(3)


async def is_killed(_decision: pb.Decision, _speak: Speak) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


async def raises(_decision: pb.Decision, _speak: Speak) -> None:
    raise ValueError("I cannot think")


async def says_a_wrong_number(decision: pb.Decision, speak: Speak) -> None:
    await speak(choice(decision.number + 5, 0))


async def says_no_index(decision: pb.Decision, speak: Speak) -> None:
    await speak(choice(decision.number, None))


async def says_too_high_an_index(decision: pb.Decision, speak: Speak) -> None:
    await speak(choice(decision.number, len(decision.legal)))


async def says_an_empty_message(_decision: pb.Decision, speak: Speak) -> None:
    await speak(b"")


async def says_garbage(_decision: pb.Decision, speak: Speak) -> None:
    await speak(b"\xff\xff garbage")


async def says_ready(_decision: pb.Decision, speak: Speak) -> None:
    await speak(READY)


async def says_too_much(_decision: pb.Decision, speak: Speak) -> None:
    await speak(bytes(64 * 1024 + 1))


async def floods(decision: pb.Decision, speak: Speak) -> None:
    while True:
        await speak(honest(decision))


async def answers_twice(decision: pb.Decision, speak: Speak) -> None:
    await speak(honest(decision))
    await speak(honest(decision))


async def speaks_off_turn(decision: pb.Decision, speak: Speak) -> None:
    await speak(honest(decision))
    await asyncio.sleep(OFF_TURN_S)
    await speak(READY)


async def dies_off_turn(decision: pb.Decision, speak: Speak) -> None:
    await speak(honest(decision))
    await asyncio.sleep(OFF_TURN_S)
    os._exit(4)


async def hangs_up_off_turn(decision: pb.Decision, speak: Speak) -> None:
    await speak(honest(decision))
    await asyncio.sleep(OFF_TURN_S)
    raise ValueError("enough")


async def floods_stderr(_decision: pb.Decision, _speak: Speak) -> None:
    for number in range(20_000):
        complain(f"line {number} of far too many")
    os._exit(5)


async def thinks(decision: pb.Decision, speak: Speak) -> None:
    """Is honest, but slow."""
    await asyncio.sleep(6 * OFF_TURN_S)
    await speak(honest(decision))


# What it may do with its stream.


async def ends_its_stream(messages: Messages, speak: Speak) -> None:
    async for raw in messages:
        message = pb.RefereeMessage.FromString(raw)
        if message.decision.number == 2:
            return
        await speak(honest(message.decision) if message.HasField("decision") else READY)


async def speaks_first(messages: Messages, speak: Speak) -> None:
    await speak(choice(0, 0))
    await plays(messages, speak)


async def is_never_ready(messages: Messages, _speak: Speak) -> None:
    async for _ in messages:
        await asyncio.sleep(HOUR_S)


async def dies_at_the_start(messages: Messages, _speak: Speak) -> None:
    async for _ in messages:
        os._exit(3)


async def dies_when_it_is_called(_messages: Messages, _speak: Speak) -> None:
    os._exit(3)


async def stops_reading(messages: Messages, speak: Speak) -> None:
    """Reads a start and decision 1, and nothing more."""
    async for raw in messages:
        message = pb.RefereeMessage.FromString(raw)
        if message.HasField("match_start"):
            await speak(READY)
        else:
            await speak(honest(message.decision))
            await asyncio.sleep(HOUR_S)


async def speaks_after_the_end(messages: Messages, speak: Speak) -> None:
    await plays(messages, speak, at_end=lambda: speak(READY))


async def dies_after_the_end(messages: Messages, speak: Speak) -> None:
    async def die() -> None:
        os._exit(6)

    await plays(messages, speak, at_end=die)


async def dies_at_the_second_start(messages: Messages, speak: Speak) -> None:
    """Dies at its second match, and in every process but the first already at its first match."""
    before = Path("started").exists()
    Path("started").touch()

    async def first_match() -> AsyncIterator[bytes]:
        starts = before
        async for raw in messages:
            if pb.RefereeMessage.FromString(raw).HasField("match_start"):
                if starts:
                    os._exit(7)
                starts = True
            yield raw

    await plays(first_match(), speak)


async def keeps_its_stream(messages: Messages, speak: Speak) -> None:
    await plays(messages, speak)
    await asyncio.sleep(HOUR_S)


async def remembers(messages: Messages, speak: Speak) -> None:
    """Chooses by how many matches it has played, as no bot may."""
    matches = 0
    async for raw in messages:
        message = pb.RefereeMessage.FromString(raw)
        if message.HasField("match_start"):
            matches += 1
            await speak(READY)
        elif message.HasField("decision"):
            await speak(choice(message.decision.number, matches % len(message.decision.legal)))


async def gambles(messages: Messages, speak: Speak) -> None:
    """Takes its random numbers from a source other than its seed."""
    async for raw in messages:
        message = pb.RefereeMessage.FromString(raw)
        if message.HasField("match_start"):
            await speak(READY)
        elif message.HasField("decision"):
            await speak(choice(message.decision.number, os.urandom(1)[0] % len(message.decision.legal)))


async def minds_unknown_fields(messages: Messages, speak: Speak) -> None:
    async def known() -> AsyncIterator[bytes]:
        async for raw in messages:
            message = pb.RefereeMessage.FromString(raw)
            if len(UnknownFieldSet(getattr(message, message.WhichOneof("body") or ""))):
                raise ValueError("what is this?")
            yield raw

    await plays(known(), speak)


async def ends_its_stream_after_the_end(messages: Messages, speak: Speak) -> None:
    async for raw in messages:
        message = pb.RefereeMessage.FromString(raw)
        if message.HasField("match_end"):
            return
        await speak(honest(message.decision) if message.HasField("decision") else READY)


async def records(messages: Messages, speak: Speak) -> None:
    """Writes down what it receives, one line of hex for each message."""

    async def recorded() -> AsyncIterator[bytes]:
        with Path("heard").open("a", buffering=1) as file:
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
    for group in (None, 0):
        subprocess.Popen(["sleep", str(HOUR_S)], process_group=group)


def spins() -> None:
    """Uses all the processor time that it gets."""

    def burn() -> None:
        while True:
            pass

    threading.Thread(target=burn, daemon=True).start()


def looks_around() -> None:
    """Writes down what it was given."""
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
        hangs, is_late, drips, compresses, dies, is_killed, raises, says_a_wrong_number, says_no_index,
        says_too_high_an_index, says_an_empty_message, says_garbage, says_ready, says_too_much, floods, answers_twice,
        speaks_off_turn,
        dies_off_turn, hangs_up_off_turn, floods_stderr, thinks,
    )
}  # fmt: skip
LIVES: dict[str, Callable[[Messages, Speak], Awaitable[None]]] = {
    life.__name__: life
    for life in (
        ends_its_stream, speaks_first, is_never_ready, dies_at_the_start, dies_when_it_is_called, stops_reading,
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


class Proxy:
    """Stands between the referee and the bot's server and passes bytes on, one by one once it `drips`."""

    def __init__(self) -> None:
        self.drips = False

    async def serve(self, path: str, behind: str) -> None:
        async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            server_reader, server_writer = await asyncio.open_unix_connection(behind)
            await asyncio.gather(self._pass_on(reader, server_writer), self._pass_on(server_reader, writer))

        await asyncio.start_unix_server(accept, path)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(1 << 16):
            for piece in [bytes([byte]) for byte in data] if self.drips else [data]:
                writer.write(piece)
                await asyncio.sleep(0.01 if self.drips else 0)


PROXY = Proxy()


class Rogue:
    """The service."""

    def __init__(self, how: str) -> None:
        self._how = how
        self._serving = False

    async def _refuse_strangers(self, context: Any, welcoming: str) -> None:
        token = os.environ.get("REFEREE_TOKEN")
        shown = dict(context.invocation_metadata()).get("authorization")
        if token is not None and shown != f"Bearer {token}" and self._how != welcoming:
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "who are you?")

    async def _alone(self, messages: Messages, context: Any) -> None:
        """Serve one caller honestly, and refuse all others meanwhile."""
        if self._serving:
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "one at a time")
        self._serving = True
        try:
            await plays(messages, context.write, speaks_honestly)
        finally:
            self._serving = False

    async def describe(self, request: bytes, context: Any) -> bytes:
        await self._refuse_strangers(context, "describes_itself_to_strangers")
        if self._how == "describes_itself_with_garbage":
            return b"\xff\xff garbage"
        if self._how == "refuses_to_describe_itself":
            await context.abort(grpc.StatusCode.UNIMPLEMENTED, "what?")
        if self._how == "knows_one_version" and pb.DescribeRequest.FromString(request).protocol_minor > MINOR:
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, "how modern")
        name = {"has_another_name": "somebody", "paints_its_name": PAINT}.get(self._how, "rogue")
        games = ["chess"] if self._how == "plays_another_game" else ["*"]
        return pb.DescribeResponse(name=name, version="1", games=games).SerializeToString()

    async def play(self, messages: Messages, context: Any) -> None:
        await self._refuse_strangers(context, "plays_with_strangers")
        if self._how == "serves_one_at_a_time":
            await self._alone(messages, context)
        elif self._how == "is_exhausted":
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "too many")
        elif self._how == "cancels_its_stream":
            await context.abort(grpc.StatusCode.CANCELLED, "enough")
        elif self._how == "paints":
            complain(PAINT)
            await context.abort(grpc.StatusCode.ABORTED, PAINT)
        if self._how in LIVES:
            await LIVES[self._how](messages, context.write)
        else:
            await plays(messages, context.write, STRIKES.get(self._how, speaks_honestly))


async def serve(address: str, how: str, tls: list[str]) -> None:
    rogue = Rogue(how)
    handlers: dict[str, Any] = {
        "Describe": grpc.unary_unary_rpc_method_handler(rogue.describe),
        "Play": grpc.stream_stream_rpc_method_handler(rogue.play),
    }
    short = [("grpc.max_receive_message_length", 64 * 1024)] if how == "reads_short_messages" else None
    squeezed = grpc.Compression.Gzip if how == "compresses" else None
    server = aio.server(options=short, compression=squeezed)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("referee_bot.v1.Bot", handlers),))
    behind = address + ".behind" if how == "drips" else address
    if tls:
        certificate, key = (Path(name).read_bytes() for name in tls)
        port = server.add_secure_port(behind, grpc.ssl_server_credentials([(key, certificate)]))
    else:
        port = server.add_insecure_port(behind)
    await server.start()
    if address.endswith(":0") and how != "keeps_its_port_to_itself":
        print(f"REFEREE_PORT={port}", flush=True)
    if how == "drips":
        await PROXY.serve(address.removeprefix("unix:"), behind.removeprefix("unix:"))
    await server.wait_for_termination()


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    if sys.argv[2] in STARTS:
        STARTS[sys.argv[2]]()
    asyncio.run(serve(sys.argv[1], sys.argv[2], sys.argv[3:]))
