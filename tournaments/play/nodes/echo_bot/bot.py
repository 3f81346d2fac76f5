"""A bot that does nothing: it answers each decision with its first action. A node measures itself with it.

Its messages are put together by hand, so that it needs nothing but gRPC.
"""

import asyncio
import sys
from collections.abc import AsyncIterator

import grpc.aio

_DESCRIPTION = b"\x0a\x04echo\x12\x011\x1a\x01*"  # DescribeResponse: name, version, games
_DECISION = 0x12  # the first byte of a RefereeMessage with a decision


def choice(decision: int) -> bytes:
    """The BotMessage that chooses the first action of a decision, whose number is below 128."""
    return bytes((0x12, 4, 0x08, decision, 0x10, 0))


async def _describe(_: bytes, __: grpc.aio.ServicerContext[bytes, bytes]) -> bytes:
    return _DESCRIPTION


async def _play(requests: AsyncIterator[bytes], _: grpc.aio.ServicerContext[bytes, bytes]) -> AsyncIterator[bytes]:
    number = 0
    async for message in requests:
        if message[0] == _DECISION:
            number += 1
            yield choice(number)


async def serve(address: str) -> None:
    """Serve on `address` until the process is ended."""
    server = grpc.aio.server()
    handlers: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
        "Describe": grpc.unary_unary_rpc_method_handler(_describe),
        "Play": grpc.stream_stream_rpc_method_handler(_play),
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("referee_bot.v1.Bot", handlers),))
    server.add_insecure_port(address)
    await server.start()
    await server.wait_for_termination()


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1]))
