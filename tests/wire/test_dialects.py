"""The messages of lines and flat are those of msgspec with names for numbers, and each answer means one thing."""

import enum
import json
from collections.abc import Iterator
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest

from referee.core.game import InFull
from referee.match.conversation import Answer, Answers, Batch, Garbage, Message, Ready, SeatQuestion, Unavailable
from referee.match.match import Ask, Match, Open, Request
from referee.match.transcript import Note
from referee.wire.dialects import FLAT, GRPC, LINES
from referee.wire.line_values import line_value
from referee.wire.messages import MAX_REFEREE_MESSAGE_BYTES
from referee.wire.registry import games
from tests.games.kits import KITS
from tests.wire.matches import random_match

QUESTION = SeatQuestion(3, 5)


def write(value: Any) -> str:
    return msgspec.json.encode(line_value(value)).decode()


def named(value: Any, annotation: Any = None) -> Any:
    """What msgspec would write, decoded, but with names for the members of enumerations, and ids in full."""
    inner = get_args(annotation)
    if get_origin(annotation) in (Union, UnionType):
        inner = next((get_args(each) for each in inner if get_origin(each) is Annotated), ())
    show = next((each.show for each in inner if isinstance(each, InFull)), None)
    if show is not None and value is not None:
        return named(show(value))
    if isinstance(value, enum.IntEnum):
        return value.name
    if isinstance(value, msgspec.Struct):
        tag = {"type": type(value).__struct_config__.tag} if type(value).__struct_config__.tag else {}
        hints = get_type_hints(type(value), include_extras=True)
        return tag | {name: named(getattr(value, name), hints[name]) for name in value.__struct_fields__}
    if isinstance(value, list | tuple):
        return [named(each, inner[0] if inner else None) for each in value]
    return value


def unflattened(text: str) -> dict[str, Any]:
    """The values of a flat message by their paths, as text."""
    *lines, last = text.splitlines()
    assert last in ("go", "over")
    return dict(line.split(" ", 1) for line in lines)


def flattened(path: str, tree: Any) -> Iterator[tuple[str, str]]:
    if isinstance(tree, dict):
        for name, each in tree.items():
            yield from flattened(f"{path}.{name}", each)
    elif isinstance(tree, list):
        yield path, str(len(tree))
        for number, each in enumerate(tree):
            yield from flattened(f"{path}.{number}", each)
    elif tree is not None:
        yield path, tree if isinstance(tree, str) else json.dumps(tree)


def requests(game: str) -> Iterator[tuple[Match, Request]]:
    rules = games()[game].game
    for number, options in enumerate(rules.varieties[:6]):
        yield from random_match(game, options, min(rules.seats(options)), f"lines {number}")


@pytest.mark.parametrize("game", [name for name in games() if name in KITS])
def test_a_message_has_all_that_the_request_has_in_lines_and_flat(game: str) -> None:
    codec = games()[game].codec
    for match, request in requests(game):
        line = LINES.encode(codec, match, request)
        assert line.startswith(b'{"type":"')
        assert line.count(b"\n") == 1
        message = json.loads(line)
        if isinstance(request, Ask):
            assert message == {
                "type": "decide",
                "number": request.number,
                "view": named(request.view),
                "legal": named(request.legal),
                "events": named(request.events),
                "time_left_ms": request.time_left_ms,
            }
        elif isinstance(request, Open):
            assert message["options"] == named(match.options)
            assert message["seed_hex"] == match.header.bot_seeds[request.seat]
        else:
            outcome = request.outcome
            assert message == {
                "type": "end",
                "ending": outcome.ending,
                "places": list(outcome.places),
                "events": named(request.events),
            }
        flat = FLAT.encode(codec, match, request).decode()
        assert flat.endswith("over\n" if message["type"] == "end" else "go\n")
        assert flat.startswith(f"type {message['type']}\n")
        assert unflattened(flat) == {path[1:]: value for path, value in flattened("", message)}


def test_the_start_says_all_and_its_seed_fits_in_31_bits() -> None:
    match, request = next(requests("agent-avenue"))
    assert json.loads(LINES.encode(games()["agent-avenue"].codec, match, request)) == {
        "type": "start",
        "match_id": match.header.match_id,
        "game": "agent-avenue",
        "rules_version": 1,
        "seat": 0,
        "seats": 2,
        "seed": int.from_bytes(bytes.fromhex(match.header.bot_seeds[0])[:4], "little") % 2**32 // 2,
        "seed_hex": match.header.bot_seeds[0],
        "clock": {"move_ms": 700, "bank_ms": 5_000, "increment_ms": 20},
        "options": {"mode": "simple", "line_up": "1v1", "ceasefire": False},
    }


def test_a_part_of_a_batch_has_its_match_after_its_type() -> None:
    match, request = next(requests("agent-avenue"))
    codec = games()["agent-avenue"].codec
    line, flat = (dialect.part(7, dialect.encode(codec, match, request)) for dialect in (LINES, FLAT))
    assert line.startswith(b'{"type":"start","match":7,"match_id":')
    assert json.loads(line)["match"] == 7
    assert flat.startswith(b"type start\nmatch 7\nmatch_id ")


@pytest.mark.parametrize("dialect", [LINES, FLAT])
def test_a_message_of_a_later_version_has_unknown_fields_and_fits(dialect: Any) -> None:
    match, request = list(requests("agonia"))[9]
    message = dialect.encode(games()["agonia"].codec, match, request)
    large = dialect.from_the_future(message, MAX_REFEREE_MESSAGE_BYTES - len(message) - 64)
    assert MAX_REFEREE_MESSAGE_BYTES - 200 < len(large) <= MAX_REFEREE_MESSAGE_BYTES
    if dialect is LINES:
        later = json.loads(large)
        assert later.pop("later") == 7
        assert len(later.pop("later_text")) > 900_000
        assert later == json.loads(message)
    else:
        assert max(map(len, large.split(b"\n"))) < 100
        assert unflattened(message.decode()).items() < unflattened(large.decode()).items()


class Colour(enum.IntEnum):
    RED = 1
    BLUE = 2


class Thing(msgspec.Struct, frozen=True, tag=True):
    colours: dict[Colour, int]
    either: Colour | int | None
    kept: frozenset[Colour]
    text: str
    flag: bool
    part: float
    pair: tuple[Colour, bool]
    left_out: int | msgspec.UnsetType = msgspec.UNSET


THING = Thing(
    {Colour.BLUE: 1, Colour.RED: 2}, 1, frozenset(Colour), 'a "b"\n\u2028\x85', True, 0.5, (Colour.RED, False)
)


def test_values_of_any_type_are_written_and_equal_ones_of_other_types_apart() -> None:
    assert json.loads(write(THING)) == {
        "type": "Thing",
        "colours": {"BLUE": 1, "RED": 2},
        "either": 1,
        "kept": ["BLUE", "RED"],
        "text": 'a "b"\n\u2028\x85',
        "flag": True,
        "part": 0.5,
        "pair": ["RED", False],
        "left_out": None,
    }
    assert [write(each) for each in ((1, 2), (Colour.RED, Colour.BLUE), (True, 2))] == [
        "[1,2]",
        '["RED","BLUE"]',
        "[true,2]",
    ]


HOSTILE = "''''{v.x.__class__}%s%d"


class Hostile(msgspec.Struct, frozen=True, tag_field="{kind}%s", tag=HOSTILE, rename=lambda name: name + HOSTILE):
    colour: Colour
    number: int | Colour = 0


def test_no_name_of_a_game_is_read_as_code_or_as_a_format_and_equal_values_of_other_types_stay_apart() -> None:
    for number, text in ((1, 1), (Colour.RED, "RED")):
        fields = {"{kind}%s": HOSTILE, "colour" + HOSTILE: "RED", "number" + HOSTILE: text}
        assert json.loads(write((Hostile(Colour.RED, number),))) == [fields]


class Tree(msgspec.Struct, frozen=True):
    colour: Colour
    children: tuple["Tree", ...] = ()
    first: "Tree | None" = None


class Loose(msgspec.Struct, frozen=True):
    items: list[Any]
    more: dict[str, Any]


def test_values_of_a_class_may_have_values_of_their_own_class_and_parts_that_cannot_be_hashed() -> None:
    tree = Tree(Colour.RED, (Tree(Colour.BLUE),), Tree(Colour.RED))
    leaf: dict[str, Any] = {"colour": "BLUE", "children": [], "first": None}
    assert json.loads(write(tree)) == {"colour": "RED", "children": [leaf], "first": leaf | {"colour": "RED"}}
    assert json.loads(write(Loose([Colour.RED], {"a": [1]}))) == {"items": ["RED"], "more": {"a": [1]}}


def test_no_text_of_a_game_can_end_a_line_in_any_language() -> None:
    match = next(requests("agent-avenue"))[0]
    ask = Ask(0, 1, THING, (THING,), (), 5)
    codec = games()["agent-avenue"].codec
    for dialect in (LINES, FLAT):
        text = dialect.encode(codec, match, ask).decode()
        assert text.splitlines() == text.rstrip("\n").split("\n")
    assert json.loads(LINES.encode(codec, match, ask))["view"]["text"] == THING.text
    assert r"view.text a \"b\"\n\u2028\u0085" in FLAT.encode(codec, match, ask).decode().splitlines()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("ready", Ready()),
        ("0", Answer(3, 0)),
        (" 12\t\r", Answer(3, 12)),
        ('{"index":2}', Answer(3, 2)),
        ('{"index":2,"number":4}', Answer(4, 2)),
        ('{"index":2,"note":"why","more":{"a":[1]}}', Answer(3, 2, Note("why", 0, 0))),
        ('{"index":2,"note":{"text":"w","tries":1,"tokens":9}}', Answer(3, 2, Note("w", 1, 9))),
        ('{"ready":true}', Ready()),
        ('{"unavailable":"no model"}', Unavailable(3, Note("no model", 0, 0))),
        ('{"number":3}', Answer(3, None)),
    ],
)
def test_an_answer_is_a_word_or_an_object(line: str, message: Message) -> None:
    assert LINES.parse(line.encode(), QUESTION) == FLAT.parse(line.encode(), QUESTION) == message


@pytest.mark.parametrize(
    "line",
    [b"", b"-1", b"0.0", b"READY", b"1 2", b"\xff", b"0x1", b"1234567890", b'{"index":-1}', b'{"index":"1"}'],
)
def test_every_other_line_is_no_answer(line: bytes) -> None:
    assert isinstance(LINES.parse(line, QUESTION), Garbage)


def test_in_a_batch_a_bare_answer_belongs_to_the_oldest_open_question() -> None:
    batch = Batch({7: SeatQuestion(3, 5), 8: SeatQuestion(4, 5), 9: SeatQuestion(0)})
    assert LINES.parse(b"1", batch) == Answers(((7, Answer(3, 1)),))
    assert LINES.parse(b'{"index":1,"match":8}', batch) == Answers(((8, Answer(4, 1)),))
    assert LINES.parse(b'{"ready":true,"match":9}', batch) == Answers(ready=(9,))
    assert batch.take(Answers(((7, Answer(3, 1)),))) is None
    assert LINES.parse(b"2", batch) == Answers(((8, Answer(4, 2)),))


def test_the_dialect_of_the_protos_reads_what_it_read_before() -> None:
    assert GRPC.parse(b"\xff", QUESTION) == Garbage("sent 1 bytes that are no BotMessage")
