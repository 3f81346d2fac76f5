"""The example match. docs/bot-example.md tells it message by message, and docs/transcripts.md has its transcript.

`python -m tests.example_match` writes it there anew.

A starter with its rule for any game plays both seats, so that authors of bots can compare every byte and choice.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from google.protobuf import text_format
from google.protobuf.message import Message
from referee_bot.v1 import agent_avenue_pb2 as aa
from referee_bot.v1 import bot_pb2 as pb

from referee.match.conversation import Chosen, Ready
from referee.match.header import single
from referee.match.match import Ask, Match, Open
from referee.match.terms import Clock
from referee.wire.agent_avenue import entry
from referee.wire.messages import PROTOCOL_MINOR, encode
from tests.sample_bots.rules import fnv1a

DOCS = Path(__file__).parents[1] / "docs"
SEED = "17"
SEAT = 0
ENTRY = "starter-python@1"
BLOCK = re.compile(r"(?<=<!-- written by tests/example_match.py -->\n).*(?=<!-- end -->)", re.DOTALL)

GAME, CODEC = entry.game, entry.codec

DESCRIBE = pb.DescribeRequest(protocol_minor=PROTOCOL_MINOR)
DESCRIBED = pb.DescribeResponse(
    name=ENTRY.partition("@")[0], version="1", games=["*"], protocol_minor=2, max_parallel=1, max_batch=1024
)


def match_of(seed: str) -> Match:
    """The match that `referee play agent-avenue STARTER STARTER --seed SEED` plays. STARTER is the Python starter."""
    return Match(GAME, single(GAME, GAME.options_type(), (ENTRY, ENTRY), seed), Clock())


def spoken(match: Match) -> Iterator[tuple[int, pb.RefereeMessage, pb.BotMessage | None]]:
    """Every message to a seat with its answer."""
    for request in match:
        told = pb.RefereeMessage.FromString(encode(CODEC, match, request))
        if isinstance(request, Open):
            yield request.seat, told, pb.BotMessage(ready=pb.Ready())
            match.reply(Ready())
        elif isinstance(request, Ask):
            number = request.number
            seed = bytes.fromhex(match.header.bot_seeds[request.seat])
            index = fnv1a(seed + number.to_bytes(4, "little")) % len(request.legal)
            yield request.seat, told, pb.BotMessage(choice=pb.Choice(decision=number, index=index))
            match.reply(Chosen(index))
        else:
            yield request.seat, told, None


INSIDE: dict[str, type[Message]] = {"options": aa.Options, "legal": aa.Action, "events": aa.Event}
"""By name of a bytes field, the message in it."""


def told(message: Message) -> str:
    """A message in protobuf's text form. A message in a bytes field is written out after the name of its type."""
    name = message.WhichOneof("body") or ""
    fields = "".join(f"  {line}\n" for line in _fields(getattr(message, name)))
    return f"{name} {{\n{fields}}}" if fields else f"{name} {{ }}"


def _fields(message: Message) -> Iterator[str]:
    for field, value in message.ListFields():
        if field.name == "view":
            yield "view: View {"
            yield from (f"  {line}" for line in _fields(aa.View.FromString(value)))
            yield "}"
        elif field.is_repeated:
            yield from (f"{field.name}: {_value(field, one)}{_index(field.name, at)}" for at, one in enumerate(value))
        else:
            yield f"{field.name}: {_value(field, value)}"


def _index(name: str, at: int) -> str:
    return f"  # {at}" if name == "legal" else ""


def _value(field: Any, value: Any) -> str:
    if field.name in INSIDE:
        inside = INSIDE[field.name]
        return f"{inside.__name__} {_on_a_line(inside.FromString(value))}"
    if isinstance(value, Message):
        return _on_a_line(value)
    if isinstance(value, bytes):
        return '"' + "".join(f"\\x{byte:02x}" for byte in value) + '"'
    if field.enum_type is not None:
        return str(field.enum_type.values_by_number[value].name)
    return f'"{value}"' if isinstance(value, str) else str(value)


def _on_a_line(message: Message) -> str:
    return f"{{ {text_format.MessageToString(message, as_one_line=True)} }}".replace("{  }", "{ }")


def _in_bytes(message: Message) -> str:
    return f"in bytes `{message.SerializeToString().hex(' ')}`"


def _answer(answer: pb.BotMessage) -> str:
    return f", {_in_bytes(answer)}:\n\n```\n{told(answer)}\n```"


def _unary(message: Message) -> str:
    return f"{_in_bytes(message)}:\n\n```\n{text_format.MessageToString(message)}```\n"


def block() -> str:
    """The block of text in bot-example.md."""
    parts = [
        f"The referee calls `Describe` with a `DescribeRequest`, {_unary(DESCRIBE)}",
        f"The bot answers with a `DescribeResponse`, {_unary(DESCRIBED)}",
        "The referee calls `Play`; what follows goes over its stream.\n",
    ]
    for seat, question, answer in spoken(match_of(SEED)):
        if seat == SEAT:
            parts.append(f"The referee:\n\n```\n{told(question)}\n```\n")
            parts.append(f"The bot{_answer(answer)}\n" if answer else "The bot says nothing.\n")
    return "\n" + "\n".join(parts) + "\n"


def record_block() -> str:
    """The block of text in transcripts.md."""
    match = match_of(SEED)
    for _ in spoken(match):
        pass
    transcript = match.transcript()
    return f"\n```json\n{transcript.record.canonical().decode()}\n```\n\nIts digest is\n`{transcript.digest}`.\n\n"


BLOCKS: dict[str, Callable[[], str]] = {"bot-example.md": block, "transcripts.md": record_block}
"""By document, its block of text."""

if __name__ == "__main__":
    for name, written in BLOCKS.items():
        before, after = BLOCK.split((DOCS / name).read_text(encoding="utf-8"))
        (DOCS / name).write_text(f"{before}{written()}{after}", encoding="utf-8")
