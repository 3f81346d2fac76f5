"""Bots on their way to a node."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.core.bot_limits import FolderLimits
from referee.core.errors import FileProblems
from referee.runtime.local_bot import LocalBot, read_sources
from tournaments.play.nodes.tree_transfer import ReceivedTrees, TreeMissing, TreeSender
from tournaments.store import LONGEST
from tournaments.submissions.tree_cache import CacheError, TreeCache

FILES = {"run": b"exec", "big": bytes(range(256)) * (2 * LONGEST // 256) + b"end", "src/x.py": b"print()", "empty": b""}


@pytest.fixture
def bot(tmp_path: Path) -> LocalBot:
    folder = tmp_path / "bot"
    for name, content in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    (folder / "run").chmod(0o755)
    (folder / "same").write_bytes(FILES["big"])
    (folder / "link").symlink_to("src/x.py")
    (folder / "bot.toml").write_text('name = "b"\nversion = "1"\nauthor = "t"\ngames = ["*"]\nrun = ["./run"]\n')
    return read_sources(folder)


@pytest.fixture
def shipping() -> TreeSender:
    return TreeSender(FolderLimits())


def content(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_tree_comes_to_a_node_as_it_was_and_each_content_once(
    bot: LocalBot, shipping: TreeSender, tmp_path: Path
) -> None:
    key = shipping.take(bot)
    received = ReceivedTrees(tmp_path / "received")
    received.expect(shipping.listings)
    sent = 0
    for chunks in shipping.chunks(key):
        received.take(chunks)
        sent += sum(len(chunk.content) for chunk in chunks)
    with TreeCache(tmp_path / "trees", received) as cache:
        place = cache.tree(key)
        received.clear()
        assert content(place) == content(bot.folder)
        assert (place / "run").stat().st_mode & 0o111
        assert (place / "link").is_symlink()
    assert sent == sum(len(data) for data in {path.read_bytes() for path in bot.folder.rglob("*") if path.is_file()})
    with TreeCache(tmp_path / "trees", received) as again:  # nothing has to come a second time
        assert again.tree(key) == place


def test_what_has_not_come_is_lacking_and_nothing_stands_in_its_place(
    bot: LocalBot, shipping: TreeSender, tmp_path: Path
) -> None:
    key = shipping.take(bot)
    received = ReceivedTrees(tmp_path / "received")
    received.expect(shipping.listings)
    with TreeCache(tmp_path / "trees", received) as cache:
        with pytest.raises(TreeMissing):
            cache.tree(key)
        assert {path.suffix for path in (tmp_path / "trees").iterdir()} == {".lock"}


def test_a_content_that_was_changed_on_the_way_is_refused(bot: LocalBot, shipping: TreeSender, tmp_path: Path) -> None:
    key = shipping.take(bot)
    received = ReceivedTrees(tmp_path / "received")
    received.expect(shipping.listings)
    for chunks in shipping.chunks(key):
        received.take([replace(chunk, content=bytes(len(chunk.content))) for chunk in chunks])
    with TreeCache(tmp_path / "trees", received) as cache, pytest.raises(CacheError, match="is not what it was"):
        cache.tree(key)


def test_what_links_lead_to_outside_of_the_folder_is_sent_in_their_place(
    tmp_path: Path, bot: LocalBot, shipping: TreeSender
) -> None:
    (tmp_path / "weights").write_bytes(b"0")
    (tmp_path / "protos/v1").mkdir(parents=True)
    (tmp_path / "protos/v1/x.proto").write_bytes(b"proto")
    (bot.folder / "weights").symlink_to(tmp_path / "weights")
    (bot.folder / "protos").symlink_to("../protos")
    manifest = bot.folder / "bot.toml"
    manifest.write_text(manifest.read_text() + 'links = ["weights", "protos"]\n')
    key = shipping.take(read_sources(bot.folder))
    received = ReceivedTrees(tmp_path / "received")
    received.expect(shipping.listings)
    for chunks in shipping.chunks(key):
        received.take(chunks)
    with TreeCache(tmp_path / "trees", received) as cache:
        place = cache.tree(key)
        found = content(place)
        assert (found["weights"], found["protos/v1/x.proto"]) == (b"0", b"proto")
        assert not (place / "weights").is_symlink()
        assert not (place / "protos").is_symlink()
        read_sources(place)  # it is a bot there, too


def test_a_bot_whose_files_cannot_be_kept_is_told_of(bot: LocalBot) -> None:
    with pytest.raises(FileProblems, match="files"):
        TreeSender(FolderLimits(files=3)).take(bot)
