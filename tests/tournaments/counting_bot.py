"""A bot for tests of runs: it notes every match that begins, and chooses by its seed.

Start it with `counting_bot.py ADDRESS NAME LOG DELAY_MS [SHIFT]...`. It thinks for DELAY_MS at every decision, or about
all decisions of a batch together. Each SHIFT, and the variable SHIFT, makes it choose that many actions further on.
With the variable SPEAKS it says when a match begins.
"""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from typing import Any

from grpc import aio
from referee_bot.v1 import bot_pb2 as pb
from referee_bot.v1.bot_pb2_grpc import BotServicer, add_BotServicer_to_server

ADDRESS, NAME, LOG, DELAY_MS, *SHIFTS = sys.argv[1:]
SHIFT = sum(map(int, [*SHIFTS, os.environ.get("SHIFT", "0")]))


class Bot(BotServicer):
    async def Describe(self, _request: pb.DescribeRequest, _context: Any) -> pb.DescribeResponse:  # noqa: N802
        return pb.DescribeResponse(name=NAME, version="1", games=["*"], max_batch=64)

    async def Play(  # noqa: N802
        self, requests: AsyncIterator[pb.RefereeMessage], _context: Any
    ) -> AsyncIterator[pb.BotMessage]:
        seed = b""
        seeds: dict[int, bytes] = {}
        async for message in requests:
            if message.HasField("match_start"):
                seed = message.match_start.seed
                note(message.match_start.match_id)
                yield pb.BotMessage(ready=pb.Ready())
            elif message.HasField("decision"):
                await asyncio.sleep(int(DELAY_MS) / 1000)
                index = chosen(seed, message.decision)
                yield pb.BotMessage(choice=pb.Choice(decision=message.decision.number, index=index))
            elif message.HasField("batch"):
                await asyncio.sleep(int(DELAY_MS) / 1000)
                answers = answers_to(message.batch, seeds)
                if answers.match or answers.ready:
                    yield pb.BotMessage(answers=answers)


def answers_to(batch: pb.Batch, seeds: dict[int, bytes]) -> pb.Answers:
    """The answers to a batch. `seeds` has the seed of each match that has begun, by its number in the stream."""
    answers = pb.Answers()
    for part in batch.parts:
        if part.HasField("match_start"):
            seeds[part.match] = part.match_start.seed
            note(part.match_start.match_id)
            answers.ready.append(part.match)
        elif part.HasField("decision"):
            answers.match.append(part.match)
            answers.decision.append(part.decision.number)
            answers.index.append(chosen(seeds[part.match], part.decision))
    return answers


def chosen(seed: bytes, decision: pb.Decision) -> int:
    return (seed[decision.number % len(seed)] + SHIFT) % len(decision.legal)


def note(match_id: bytes) -> None:
    """Note a match. A single write to a file opened for appending does not mix with lines of other bots."""
    file = os.open(LOG, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(file, f"{NAME} {match_id.hex()}\n".encode())
    os.close(file)
    if "SPEAKS" in os.environ:
        print("a match begins", file=sys.stderr, flush=True)


async def serve() -> None:
    server = aio.server()
    add_BotServicer_to_server(Bot(), server)
    server.add_insecure_port(ADDRESS)
    await server.start()
    await server.wait_for_termination()


if __name__ == "__main__":
    asyncio.run(serve())
