"""The protos: breaking changes are refused, so existing bots keep working. Every id has its meaning beside it."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from referee.games.agonia.box.characters import BY_NAME
from referee.games.inside_job.conditions import CONDITIONS
from referee.games.inside_job.missions import MISSIONS
from referee.games.inside_job.roles import ROLES
from referee.wire.messages import PROTOCOL_MINOR
from referee.wire.registry import games

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


@pytest.mark.slow
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


def text_of(game: str) -> str:
    return (PROTO / "referee_bot" / "v1" / f"{game}.proto").read_text(encoding="utf-8")


def test_the_missions_of_inside_job_stand_in_its_proto_each_with_its_suit_and_its_words() -> None:
    table = re.findall(r"^//   ([MR]\d+) +(\w+) +(.+)$", text_of("inside_job"), re.MULTILINE)
    assert table == [(mission.id, mission.trump.name.lower(), mission.text) for mission in MISSIONS.values()]


def test_the_conditions_of_missions_stand_in_the_proto_all_and_no_others() -> None:
    (part,) = re.findall(
        r"^// A mission, and what.*?^// The missions, by id", text_of("inside_job"), re.MULTILINE | re.DOTALL
    )
    named = re.findall(r"^//   (\w+(?:, \w+)?) {2,}|^//   (\w+, \w+) ", part, re.MULTILINE)
    assert {name for pair in named for name in "".join(pair).split(", ")} == set(CONDITIONS)


def test_the_roles_of_inside_job_stand_in_its_proto() -> None:
    listed = re.findall(r"^// - ((?:\"\w+\"(?:, )?)+):", text_of("inside_job"), re.MULTILINE)
    assert [name for names in listed for name in re.findall(r"\w+", names)] == list(ROLES)


def test_the_ids_of_the_characters_of_agonia_stand_in_its_proto() -> None:
    (listed,) = re.findall(r"// \"drawn\", or the characters by seat, of (.+), with", text_of("agonia"))
    assert re.findall(r"\w+", listed) == list(BY_NAME)


@pytest.mark.parametrize("game", games())
def test_every_ending_stands_in_the_proto_of_its_game(game: str) -> None:
    text = text_of(game.replace("-", "_"))
    assert [ending for ending in games()[game].game.endings if f'"{ending}"' not in text] == []


def test_a_minor_version_of_the_protocol_says_what_it_added() -> None:
    assert f"{PROTOCOL_MINOR} added `start` to Agonía's `View`." in text_of("bot")
    page = " ".join((PROTO.parent / "docs" / "protocol.md").read_text().split())
    assert f"version {PROTOCOL_MINOR} added `start` to Agonía's `View`." in page
