"""The loop: serves a player to the referee. The thinking is in player.py. The bot's name is in bot.toml.

It differs from the loop of the other bots in one point: all decisions of a batch go to the player at once.

Start it with `python bot.py ADDRESS`. The referee gives the address, such as `unix:/path/to/socket`.
"""

import asyncio
import os
import signal
import sys
import tomllib
import traceback
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import grpc
from grpc import aio
from player import Player
from referee_bot.v1 import bot_pb2 as pb
from referee_bot.v1.bot_pb2_grpc import BotServicer, add_BotServicer_to_server

PROTOCOL_MINOR = 2
MAX_BATCH = 1024


class Bot(BotServicer):
    """One seat, in any number of matches. It keeps nothing of a match: a view holds all that the network sees."""

    def __init__(self) -> None:
        self.player = Player()

    async def Describe(  # noqa: N802 - gRPC's spelling
        self, _request: pb.DescribeRequest, context: Any
    ) -> pb.DescribeResponse:
        """Tells the referee what bot.toml says about this bot."""
        await refuse_strangers(context)
        about = tomllib.loads(Path(__file__).with_name("bot.toml").read_text())
        return pb.DescribeResponse(
            name=about["name"],
            version=about["version"],
            games=about["games"],
            protocol_minor=PROTOCOL_MINOR,
            max_parallel=1,
            max_batch=MAX_BATCH,
        )

    async def Play(  # noqa: N802 - gRPC's spelling
        self, requests: AsyncIterator[pb.RefereeMessage], context: Any
    ) -> AsyncIterator[pb.BotMessage]:
        """Plays match after match, or many at once, until the referee closes the stream."""
        await refuse_strangers(context)
        async for message in requests:
            body = message.WhichOneof("body")
            if body == "match_start":
                yield pb.BotMessage(ready=pb.Ready())
            elif body == "decision":
                (index,) = self.choose([message.decision])
                yield pb.BotMessage(choice=pb.Choice(decision=message.decision.number, index=index))
            elif body == "batch":
                answers = self.answers(message.batch)
                if answers.match or answers.ready:
                    yield pb.BotMessage(answers=answers)

    def answers(self, batch: pb.Batch) -> pb.Answers:
        """The answers to a batch."""
        asked = [part for part in batch.parts if part.HasField("decision")]
        return pb.Answers(
            ready=[part.match for part in batch.parts if part.HasField("match_start")],
            match=[part.match for part in asked],
            decision=[part.decision.number for part in asked],
            index=self.choose([part.decision for part in asked]),
        )

    def choose(self, decisions: Sequence[pb.Decision]) -> list[int]:
        """The player's choices. Writes the traceback of an error to stderr: gRPC would show only its last line."""
        try:
            return self.player.choose(decisions)
        except Exception:
            traceback.print_exc()
            raise


async def refuse_strangers(context: Any) -> None:
    """Ends a call that lacks the token in REFEREE_TOKEN. It is set wherever strangers could call, too."""
    token = os.environ.get("REFEREE_TOKEN")
    if token and ("authorization", f"Bearer {token}") not in context.invocation_metadata():
        await context.abort(grpc.StatusCode.UNAUTHENTICATED, "the token is missing or wrong")


async def serve(address: str) -> None:
    """Serves until the process ends."""
    # Exit at once. An orderly stop would cancel any open stream and write a traceback to stderr.
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    server = aio.server()
    add_BotServicer_to_server(Bot(), server)
    server.add_insecure_port(address)
    await server.start()
    await server.wait_for_termination()


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1]))
