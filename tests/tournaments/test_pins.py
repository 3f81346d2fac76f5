from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.match.clock import Clock
from tests.tournaments.leagues import SEED, league
from tournaments.model import League, TableSpec
from tournaments.pins import LeagueChanged, Pinned, hold_to, tree_digest

CONTENTS = {"ann@1": "a", "bob@1": "b", "cid@1": "c"}


def pinned() -> Pinned:
    tables = {table.name: table for table in league().tables}
    return Pinned("nim", 4, False, SEED.hex(), Clock(), tables, CONTENTS)


def test_a_league_as_it_was_is_accepted() -> None:
    hold_to(pinned(), league(), CONTENTS)


def test_added_and_removed_bots_tables_and_deals_are_no_change() -> None:
    table = TableSpec("new", 3, {})
    hold_to(pinned(), league(["ann", "zoe"], deals=9, tables=(table,)), {"ann@1": "a", "zoe@1": "z"})


def test_sides_are_not_pinned_since_they_follow_from_the_options() -> None:
    table = TableSpec("of-2", 2, {"mode": "plain"}, "distinct", ((0,), (1,)))
    hold_to(pinned(), league(tables=(table,)), CONTENTS)


def test_a_seed_left_out_is_the_pinned_one() -> None:
    hold_to(pinned(), league(seed=None), CONTENTS)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"seed": "00" * 32}, "its seed is a different one"),
        ({"rehearsal": True}, "rehearsal was false and is true"),
        ({"game": "chess"}, "its game was nim and is chess"),
        ({"rules_version": 5}, "the rules of nim were version 4 and are 5"),
        ({"clock": Clock(move_ms=1)}, 'its clock was {"move_ms":10000,'),
        ({"tables": (TableSpec("of-2", 3, {"mode": "plain"}),)}, "table of-2 had 2 seats and has 3"),
        ({"tables": (TableSpec("of-2", 2, {"mode": "fancy"}),)}, "the options of table of-2 were"),
        (
            {"tables": (TableSpec("of-2", 2, {"mode": "plain"}, "teams"),)},
            "the seating of table of-2 was distinct and is teams",
        ),
    ],
)
def test_a_changed_league_is_refused_in_one_sentence(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(LeagueChanged) as caught:
        hold_to(pinned(), msgspec.structs.replace(league(), **change), CONTENTS)
    text = str(caught.value)
    assert sentence in text
    assert "\n" not in text


def test_changed_files_under_one_version_are_refused_by_name() -> None:
    """P-23."""
    with pytest.raises(LeagueChanged, match="the files of bob@1 have changed"):
        hold_to(pinned(), league(), CONTENTS | {"bob@1": "changed"})


def test_a_refusal_never_shows_a_seed() -> None:
    changed: League = league(seed="00" * 32)
    with pytest.raises(LeagueChanged) as caught:
        hold_to(pinned(), changed, CONTENTS)
    assert SEED.hex() not in str(caught.value)


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    folder = tmp_path / "bot"
    (folder / "inner").mkdir(parents=True)
    (folder / "bot.toml").write_text("name")
    (folder / "inner" / "think.py").write_text("thoughts")
    return folder


def rename(folder: Path) -> None:
    (folder / "bot.toml").rename(folder / "bat.toml")


def add_link(folder: Path) -> None:
    (folder / "link").symlink_to("bot.toml")


CHANGES: dict[str, Callable[[Path], object]] = {
    "content": lambda folder: (folder / "inner" / "think.py").write_text("other thoughts"),
    "name": rename,
    "mode": lambda folder: (folder / "bot.toml").chmod(0o755),
    "new file": lambda folder: (folder / "empty").write_text(""),
    "link": add_link,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_the_tree_digest_changes_with_every(change: Callable[[Path], object], bot: Path) -> None:
    before = tree_digest(bot)
    change(bot)
    assert tree_digest(bot) != before


def test_the_tree_digest_sees_through_a_link_to_a_file_outside(bot: Path) -> None:
    engine = bot.parent / "engine"
    engine.write_text("1")
    (bot / "engine").symlink_to(engine)
    before = tree_digest(bot)
    engine.write_text("2")
    assert tree_digest(bot) != before


def test_the_tree_digest_does_not_depend_on_where_the_bot_lies(bot: Path) -> None:
    before = tree_digest(bot)
    assert tree_digest(bot.rename(bot.parent / "elsewhere")) == before


def test_the_tree_digest_does_not_depend_on_the_order_in_which_files_are_listed(
    bot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = tree_digest(bot)
    listed = Path.iterdir
    monkeypatch.setattr(Path, "iterdir", lambda folder: reversed(list(listed(folder))))
    assert tree_digest(bot) == before


@pytest.mark.parametrize("path", ["__pycache__/x.pyc", ".git/HEAD", "inner/build/bot", ".mypy_cache/x", "think.pyc"])
def test_caches_version_control_and_build_output_are_left_out(bot: Path, path: str) -> None:
    before = tree_digest(bot)
    (bot / path).parent.mkdir(parents=True, exist_ok=True)
    (bot / path).write_text("output")
    assert tree_digest(bot) == before
