"""What a bot consists of after its build, and its way into a store and back into a folder."""

import os
from pathlib import Path

import pytest

from referee.core.bot_limits import FolderLimits
from referee.core.errors import FileProblems
from referee.core.tree_listing import digest
from referee.files import bot_folder
from tests.tournaments.stores import opened
from tests.tournaments.submissions.archives import BOT_TOML
from tests.tournaments.submissions.bad import LIMITS
from tournaments.store import LONGEST, Damaged
from tournaments.submissions.bot_folders import built, keep
from tournaments.submissions.bundle import bundle
from tournaments.submissions.tree_cache import TreeCache


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    folder = tmp_path / "bot"
    for name in ("src/x.c", "build/bot", "build/link.d", "src/build/x", "__pycache__/x", ".git/HEAD"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    (folder / "bot.toml").write_bytes(BOT_TOML)
    (folder / "build" / "bot").chmod(0o755)
    (folder / "latest").symlink_to("build/bot")
    (folder / ".refereeignore").write_text("build/\n")
    return folder


def problem(bot: Path, limits: FolderLimits = LIMITS) -> str:
    with pytest.raises(FileProblems) as caught:
        built(bot, limits)
    (sentence,) = caught.value.problems
    return sentence.replace(str(bot.parent), "~")


def test_sources_and_output_count_and_what_is_hidden_from_the_bot_does_not(bot: Path) -> None:
    found = built(bot, LIMITS)
    assert list(found) == [".refereeignore", "bot.toml", "build/bot", "build/link.d", "latest", "src/x.c"]
    assert set(bundle(bot, LIMITS)) == {".refereeignore", "bot.toml", "latest", "src/x.c"}
    assert digest(found) == bot_folder.digest({name: bot / name for name in found})


def test_another_build_is_another_tree_of_the_same_source(bot: Path) -> None:
    source, before = digest(bundle(bot, LIMITS)), digest(built(bot, LIMITS))
    (bot / "build" / "link.d").write_text("built anew")
    assert digest(built(bot, LIMITS)) != before
    assert digest(bundle(bot, LIMITS)) == source


def test_what_a_build_made_is_kept_and_comes_back_without_what_was_hidden(bot: Path, tmp_path: Path) -> None:
    (bot / "build" / "large").write_bytes(os.urandom(LONGEST + 1))
    listing = built(bot, FolderLimits())
    with opened(f"sqlite:///{tmp_path / 'league.sqlite'}") as store:
        key = keep(bot, listing, store.trees, now_ms=1)
        assert key == digest(listing)
        with TreeCache(tmp_path / "cache", store.trees) as cache:
            place = cache.tree(key)
            assert built(place, FolderLimits()) == listing
            assert {path.name for path in place.iterdir()} == {".refereeignore", "bot.toml", "build", "latest", "src"}


def test_a_file_that_changes_meanwhile_is_not_kept(bot: Path, tmp_path: Path) -> None:
    listing = built(bot, LIMITS)
    (bot / "src" / "x.c").write_text("other")
    with opened(f"sqlite:///{tmp_path / 'league.sqlite'}") as store:
        with pytest.raises(Damaged, match=r"its file src/x\.c is not what it was"):
            keep(bot, listing, store.trees, now_ms=1)
        assert store.trees.digests() == []


def test_what_a_build_makes_is_held_to_the_same_rules_as_what_travels(bot: Path) -> None:
    (bot / "build" / "Bot").touch()
    assert "some systems take this name and" in problem(bot)
    (bot / "build" / "Bot").unlink()
    (bot / "build" / "out").symlink_to("/etc/passwd")
    assert "this link leads out of the bot's folder" in problem(bot)
    (bot / "bot.toml").write_bytes(BOT_TOML + b'links = ["build/out"]\n')
    assert problem(bot) == (
        "~/bot/build/out: leads out of the folder; the links that bot.toml names cannot be submitted"
    )
    (bot / "build" / "out").unlink()
    os.mkfifo(bot / "build" / "out")
    assert "is a pipe" in problem(bot)
    (bot / "build" / "out").unlink()
    assert "more than 3 files" in problem(bot, FolderLimits(files=3))


def test_a_link_out_to_a_place_that_is_not_there_yet_is_refused_too(bot: Path) -> None:
    (bot / "build" / "out").symlink_to("../../nowhere/x")
    assert problem(bot).startswith("~/bot: build/out: this link leads out of the bot's folder")
