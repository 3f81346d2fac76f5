"""The match that docs/writing-a-bot.md tells message by message: `python -m tests.example_match` writes it there anew.

Both seats are held by a starter with its rule for any game, so that who writes a bot can compare every byte and choice.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
from google.protobuf import text_format
from google.protobuf.message import Message
from referee_bot.v1 import agent_avenue_pb2 as aa
from referee_bot.v1 import bot_pb2 as pb

from referee.core import seeds
from referee.match.clock import Clock
from referee.match.conversation import Chosen, Ready
from referee.match.header import header
from referee.match.match import Ask, Match, Open, Request
from referee.wire.agent_avenue import entry
from referee.wire.messages import encode

DOCUMENT = Path(__file__).parents[1] / "docs" / "writing-a-bot.md"
SEED = "39"
SEAT = 0
ENTRY = "starter-python@1"
BLOCK = re.compile(r"(?<=<!-- written by tests/example_match.py -->\n).*(?=<!-- end -->)", re.DOTALL)

GAME, CODEC = entry.game, entry.codec


def fnv1a(data: bytes) -> int:
    value = 2166136261
    for byte in data:
        value = (value ^ byte) * 16777619 % 2**32
    return value


def match_of(seed: str) -> Match:
    """As `referee play agent-avenue STARTER STARTER --seed SEED` plays it."""
    settled = header(
        game=GAME.name,
        rules_version=GAME.rules_version,
        options=msgspec.to_builtins(GAME.options_type()),
        fixture=f"{GAME.name}/play/{ENTRY}+{ENTRY}/seed-{seed}",
        entries=(ENTRY, ENTRY),
        root=seeds.from_text(seed),
        deal=0,
    )
    return Match(GAME, settled, Clock())


def spoken(match: Match) -> Iterator[tuple[int, pb.RefereeMessage, pb.BotMessage | None]]:
    """Every message to a seat with its answer."""
    request: Request | None = match.begin()
    while request is not None:
        told = pb.RefereeMessage.FromString(encode(CODEC, match, request))
        if isinstance(request, Open):
            yield request.seat, told, pb.BotMessage(ready=pb.Ready())
            request = match.receive(Ready())
        elif isinstance(request, Ask):
            number = request.number
            seed = bytes.fromhex(match.header.bot_seeds[request.seat])
            index = fnv1a(seed + number.to_bytes(4, "little")) % len(request.legal)
            yield request.seat, told, pb.BotMessage(choice=pb.Choice(decision=number, index=index))
            request = match.receive(Chosen(index))
        else:
            yield request.seat, told, None
            request = match.receive(None)


INSIDE: dict[str, type[Message]] = {"options": aa.Options, "view": aa.View, "legal": aa.Action, "events": aa.Event}
"""By field of bytes, what message is in it."""


def told(message: Message) -> str:
    """A message as text: what is inside of bytes is written out, each on a line, behind the name of its type."""
    body = getattr(message, message.WhichOneof("body") or "")
    lines = [f"{message.WhichOneof('body')} {{"]
    counts: dict[str, int] = {}
    for field, value in body.ListFields():
        for one in value if field.is_repeated else [value]:
            index = counts[field.name] = counts.get(field.name, -1) + 1
            lines.append(f"  {field.name}: {_value(field.name, one)}" + (f"  # {index}" * (field.name == "legal")))
    return "\n".join([*lines, "}"]) if len(lines) > 1 else f"{lines[0]} }}"


def _value(name: str, value: object) -> str:
    if name in INSIDE and isinstance(value, bytes):
        inside = INSIDE[name].FromString(value)
        return f"{INSIDE[name].__name__} {{ {text_format.MessageToString(inside, as_one_line=True)} }}"
    if isinstance(value, Message):
        return f"{{ {text_format.MessageToString(value, as_one_line=True)} }}"
    if isinstance(value, bytes):
        return f'"{"".join(f"{chr(92)}x{byte:02x}" for byte in value)}"'
    return f'"{value}"' if isinstance(value, str) else str(value)


def block() -> str:
    """What stands in the document."""
    parts = []
    for seat, question, answer in spoken(match_of(SEED)):
        if seat == SEAT:
            parts.append(f"The referee:\n\n```\n{told(question)}\n```\n")
            parts.append(f"The bot:\n\n```\n{told(answer)}\n```\n" if answer else "The bot says nothing.\n")
    return "\n" + "\n".join(parts) + "\n"


if __name__ == "__main__":
    text = DOCUMENT.read_text(encoding="utf-8")
    DOCUMENT.write_text(BLOCK.sub(lambda _: block(), text), encoding="utf-8")
