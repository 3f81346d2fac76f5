"""The loop: serves a player to the referee. The thinking is in player.py. The bot's name is in bot.toml.

Start it with `python bot.py ADDRESS`. The referee gives the address, such as `unix:/path/to/socket`.
"""

import asyncio
import os
import signal
import sys
import tomllib
import traceback
from collections.abc import AsyncIterator
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
    """One seat. It answers MatchStart with Ready, Decision with Choice, and a Batch of them with Answers."""

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
        """Plays match after match, each with a new player, until the referee closes the stream."""
        await refuse_strangers(context)
        players: dict[int, Player] = {}
        async for message in requests:
            body = message.WhichOneof("body")
            if body == "match_start":
                player = Player(message.match_start)
                yield pb.BotMessage(ready=pb.Ready())
            elif body == "decision":
                number = message.decision.number
                index = choose(player, message.decision)
                yield pb.BotMessage(choice=pb.Choice(decision=number, index=index))
            elif body == "batch":
                answers = self.answers(players, message.batch)
                if answers.match or answers.ready:
                    yield pb.BotMessage(answers=answers)

    def answers(self, players: dict[int, Player], batch: pb.Batch) -> pb.Answers:
        """The answers to a batch. The players are kept by the numbers of their matches, as long as these last."""
        answers = pb.Answers()
        for part in batch.parts:
            body = part.WhichOneof("body")
            if body == "match_start":
                players[part.match] = Player(part.match_start)
                answers.ready.append(part.match)
            elif body == "decision":
                answers.match.append(part.match)
                answers.decision.append(part.decision.number)
                answers.index.append(choose(players[part.match], part.decision))
            elif body == "match_end":
                del players[part.match]
        return answers


def choose(player: Player, decision: pb.Decision) -> int:
    """The player's choice. Writes the whole traceback of an error to stderr. gRPC would show only its last line."""
    try:
        return player.choose(decision)
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
