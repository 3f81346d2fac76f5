"""A bot that is ready for its first match and then fails at its first decision, in the way its last argument says.

    python bot.py ADDRESS hang|dead|flood|drip

`drip` needs more than gRPC offers: the bot answers as it should, but a relay in front of it lets the bytes of its
answer through one by one, so slowly that the message is never whole.
"""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from itertools import count

import grpc.aio
from referee_bot.v1 import bot_pb2 as pb

READY = pb.BotMessage(ready=pb.Ready()).SerializeToString()
DRIP_S = 0.1


async def _hang() -> AsyncIterator[bytes]:
    await asyncio.Event().wait()
    yield b""


async def _die() -> AsyncIterator[bytes]:
    os.kill(os.getpid(), signal.SIGKILL)
    yield b""


async def _flood() -> AsyncIterator[bytes]:
    for number in count():  # even the first one is wrong
        yield pb.BotMessage(choice=pb.Choice(decision=number, index=0)).SerializeToString()


async def _drip() -> AsyncIterator[bytes]:
    Relay.dripping = True
    yield pb.BotMessage(choice=pb.Choice(decision=1, index=0)).SerializeToString()


WAYS = {"hang": _hang, "dead": _die, "flood": _flood, "drip": _drip}


async def _describe(_: bytes, __: "grpc.aio.ServicerContext[bytes, bytes]") -> bytes:
    return pb.DescribeResponse(name=sys.argv[2], version="1", games=["*"]).SerializeToString()


async def _play(requests: AsyncIterator[bytes], _: "grpc.aio.ServicerContext[bytes, bytes]") -> AsyncIterator[bytes]:
    async for message in requests:
        if pb.RefereeMessage.FromString(message).WhichOneof("body") == "match_start":
            yield READY
        else:
            async for answer in WAYS[sys.argv[2]]():
                yield answer


class Relay:
    """Carries bytes between the referee and the server proper."""

    dripping = False

    def __init__(self, server_path: str) -> None:
        self._server_path = server_path

    async def connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection from the referee."""
        from_server, to_server = await asyncio.open_unix_connection(self._server_path)
        await asyncio.gather(self._carry(reader, to_server, drips=False), self._carry(from_server, writer, drips=True))

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, drips: bool) -> None:
        while some := await reader.read(4096):
            pieces = [some[at : at + 1] for at in range(len(some))] if drips and Relay.dripping else [some]
            for piece in pieces:
                writer.write(piece)
                if len(pieces) > 1:
                    await asyncio.sleep(DRIP_S)


async def serve(address: str, way: str) -> None:
    """Serve on `address` until the process is ended."""
    server = grpc.aio.server()
    handlers: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
        "Describe": grpc.unary_unary_rpc_method_handler(_describe),
        "Play": grpc.stream_stream_rpc_method_handler(_play),
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("referee_bot.v1.Bot", handlers),))
    path = address.removeprefix("unix:")
    inner = f"{path}.inner" if way == "drip" else path
    server.add_insecure_port(f"unix:{inner}")
    await server.start()
    if way == "drip":
        await asyncio.start_unix_server(Relay(inner).connect, path)
    await server.wait_for_termination()


if __name__ == "__main__":
    asyncio.run(serve(*sys.argv[1:]))
