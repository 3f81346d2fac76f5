"""The messages of a bot, as bytes: for seats that a person plays, and not a program."""

from referee_bot.v1 import bot_pb2

from referee.wire.messages import PROTOCOL_MINOR

ANY_GAME = "*"

READY = bot_pb2.BotMessage(ready=bot_pb2.Ready()).SerializeToString()
"""The answer to MatchStart."""


def choice(decision: int, index: int) -> bytes:
    """The answer to the decision of this number."""
    return bot_pb2.BotMessage(choice=bot_pb2.Choice(decision=decision, index=index)).SerializeToString()


def description(name: str, version: str) -> bytes:
    """The answer to Describe."""
    message = bot_pb2.DescribeResponse(name=name, version=version, games=[ANY_GAME], protocol_minor=PROTOCOL_MINOR)
    return message.SerializeToString()
