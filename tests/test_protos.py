"""Existing bots in any language stay compatible: breaking changes of the protos are refused."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROTO = Path(__file__).parents[1] / "proto"
BUF = Path(sys.executable).with_name("buf")


def breaks(folder: Path) -> str:
    """What `buf breaking` finds in these protos."""
    command: list[str | Path] = [BUF, "breaking", folder, "--against", PROTO / "published.binpb"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def changed(folder: Path, old: str, new: str) -> Path:
    """A copy of the protos with `old` in bot.proto replaced."""
    copy = folder / "proto"
    shutil.copytree(PROTO, copy)
    path = copy / "referee_bot" / "v1" / "bot.proto"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    return copy


def test_the_protos_break_nothing_that_was_published() -> None:
    assert breaks(PROTO) == ""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("repeated bytes legal = 3;", "repeated bytes actions = 3;"),
        ("repeated bytes legal = 3;", "repeated bytes legal = 9;"),
        ("uint32 seats = 6;", "string seats = 6;"),
        ("optional uint32 index = 2;", ""),
        ("rpc Describe(", "rpc Present("),
    ],
)
def test_what_is_renamed_renumbered_retyped_or_removed_is_found(old: str, new: str, tmp_path: Path) -> None:
    assert "bot.proto" in breaks(changed(tmp_path, old, new))


def test_a_new_field_breaks_nothing(tmp_path: Path) -> None:
    added = changed(tmp_path, "uint32 time_left_ms = 5;", "uint32 time_left_ms = 5;\n  uint32 mood = 6;")
    assert breaks(added) == ""
