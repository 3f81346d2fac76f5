"""docs/transcripts.md describes the files of matches correctly, and its words are enough to compute a digest."""

import re
from collections.abc import Iterator
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest

from referee.core.outcome import Outcome, Side
from referee.match import transcript as kept
from referee.match.header import single
from referee.match.terms import Clock, EntryTerms
from referee.match.transcript import (
    Choice,
    DecisionNote,
    Draw,
    FaultKind,
    FaultMark,
    Header,
    Metadata,
    Note,
    Record,
    Remark,
    Spent,
    to_file,
)
from referee.wire.registry import games
from tests.example_match import BLOCK, record_block
from tests.games.kits import KITS
from tests.tournaments.fakes import draws, fails, play_in_process

TEXT = (Path(__file__).parents[1] / "docs" / "transcripts.md").read_text(encoding="utf-8")
PARTS = re.split(r"^#{2,3} (.+)$", TEXT, flags=re.MULTILINE)
SECTIONS = dict(zip(PARTS[1::2], PARTS[2::2], strict=True))

DESCRIBED: dict[str, type[msgspec.Struct]] = {
    "The file": kept._File,
    "record": Record,
    "header": Header,
    "draw": Draw,
    "choice": Choice,
    "fault": FaultMark,
    "outcome": Outcome,
    "side": Side,
    "aside": Metadata,
    "clock": Clock,
    "terms": EntryTerms,
    "time": Spent,
    "note": DecisionNote,
    "content": Note,
    "remark": Remark,
}
HEADINGS = {kind: heading for heading, kind in DESCRIBED.items()}


def fields(heading: str) -> dict[str, str]:
    """The fields that a section describes, in order, with their types."""
    return dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \| [^|]+ \|$", SECTIONS[heading], re.MULTILINE))


def in_words(kind: Any) -> str:
    """A type as the document writes it. If there are several types, each of them."""
    if msgspec.UnsetType in get_args(kind):
        return f"{in_words(get_args(kind)[0])} or missing"
    if get_origin(kind) in {UnionType, Union}:
        (one,) = {in_words(each) for each in get_args(kind) if each is not NoneType}
        return f"{one} or `null`" if NoneType in get_args(kind) else one
    if get_origin(kind) is Literal:
        return "string"
    if get_origin(kind) is tuple:
        first, either, rest = in_words(get_args(kind)[0]).partition(" or ")  # one or the other
        return f"list of {first}s{either}{rest}"
    if kind in HEADINGS:
        return f"[{HEADINGS[kind]}](#{HEADINGS[kind]})"
    return {int: "number", float: "number", str: "string", FaultKind: "string"}.get(kind, "object")


@pytest.mark.parametrize("heading", DESCRIBED)
def test_every_field_is_described_in_its_order_with_its_type_and_no_other(heading: str) -> None:
    struct = DESCRIBED[heading]
    hints = get_type_hints(struct)
    keys = dict(zip(struct.__struct_encode_fields__, struct.__struct_fields__, strict=True))
    described = fields(heading)
    assert list(described) == list(keys)
    plain = {
        name: words.replace("s](#", "](#").replace("[term](", "[terms](").replace(", or", " or")
        for name, words in described.items()
    }
    assert plain == {name: in_words(hints[keys[name]]).replace(")s", ")") for name in described}


@pytest.mark.parametrize("heading", DESCRIBED)
def test_what_is_a_list_in_the_file_is_said_to_be_one(heading: str) -> None:
    is_list = bool(DESCRIBED[heading].__struct_config__.array_like)
    assert is_list == ("is a list of two elements" in SECTIONS[heading])
    assert not is_list or len(fields(heading)) == 2


def structs(kind: Any) -> Iterator[Any]:
    """The structs in a type."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        yield kind
        for inner in get_type_hints(kind).values():
            yield from structs(inner)
    for inner in get_args(kind):
        yield from structs(inner)


def test_everything_in_a_file_has_a_section() -> None:
    assert {*structs(kept._File)} == set(HEADINGS)


def transcripts() -> Iterator[kept.Transcript]:
    """Matches of every game with every kind of entry in a record, and a seed with characters that JSON escapes."""
    for name, kit in KITS.items():
        game = games()[name].game
        for options, seats in kit.tables:
            entries = tuple(f"bot-{seat}@1" for seat in range(seats))
            header = single(game, options, entries, 'ñ/"\\\n\x01\x7f 😀')
            yield play_in_process(game, header, Clock(), (draws,) * seats)
            yield play_in_process(game, header, Clock(), (draws, fails, *(draws,) * (seats - 2)))


def test_the_digest_follows_from_the_file_by_json_and_hashlib_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (source,) = re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    assert re.findall(r"^(?:import|from) .+$", source, re.MULTILINE) == ["import hashlib", "import json"]
    monkeypatch.chdir(tmp_path)
    for transcript in transcripts():
        (tmp_path / "match.json").write_bytes(to_file(transcript))
        exec(compile(source, "docs/transcripts.md", "exec"), {})  # noqa: S102 - it is our own document
        assert capsys.readouterr().out == "True\n"


def test_the_match_of_the_docs_is_kept_as_they_say() -> None:
    found = BLOCK.search(TEXT)
    assert found
    assert found[0] == record_block(), "write it anew: .venv/bin/python -m tests.example_match"


@pytest.mark.parametrize("kind", FaultKind)
def test_every_kind_of_fault_is_named(kind: FaultKind) -> None:
    assert f"`{kind}`" in SECTIONS["fault"]
