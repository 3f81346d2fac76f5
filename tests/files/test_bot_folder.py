"""What a bot's folder consists of. Folders come from strangers, and are made to do harm."""

import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.bot_limits import FolderLimits
from referee.files import bot_folder as trees
from referee.files.bot_folder import MOST_HIDDEN, FolderError, Link, Tree, digest, read_tree
from referee.files.manifest import BUILD_OUTPUT, Manifest

USUAL = FolderLimits()


def manifest(**keys: Any) -> Manifest:
    about = {"name": "x", "version": "1", "author": "a", "games": ["*"], "run": ["x"]}
    return msgspec.convert(about | keys, Manifest)


def tree_of(folder: Path, limits: FolderLimits = USUAL, **keys: Any) -> Tree:
    return read_tree(folder, manifest(**keys), limits)


def sources(folder: Path, **keys: Any) -> str:
    return digest(tree_of(folder, **keys).sources)


def output(folder: Path, **keys: Any) -> str:
    return digest(tree_of(folder, **keys).output)


def problem(folder: Path, limits: FolderLimits = USUAL, **keys: Any) -> str:
    """The mistake in the folder, without the path in front."""
    with pytest.raises(FolderError) as caught:
        tree_of(folder, limits, **keys)
    (sentence,) = caught.value.problems
    return sentence.replace(str(folder.parent), "~")


def write(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"the content of {name}")


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    folder = tmp_path / "bot"
    write(folder, "bot.toml", "inner/think.py")
    return folder


# The digest of the sources


def rename(folder: Path) -> None:
    (folder / "bot.toml").rename(folder / "bat.toml")


CHANGES: dict[str, Callable[[Path], object]] = {
    "content": lambda folder: (folder / "inner" / "think.py").write_text("other thoughts"),
    "name": rename,
    "mode": lambda folder: (folder / "bot.toml").chmod(0o755),
    "new file": lambda folder: (folder / "empty").write_text(""),
    "link": lambda folder: (folder / "link").symlink_to("bot.toml"),
    "compiled file outside the caches": lambda folder: (folder / "think.pyc").write_text(""),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_the_digest_of_the_sources_changes_with_every(change: Callable[[Path], object], bot: Path) -> None:
    before = sources(bot)
    change(bot)
    assert sources(bot) != before


def test_the_digest_of_the_sources_is_what_it_always_was(bot: Path) -> None:
    (bot / "inner" / "think.py").chmod(0o755)
    (bot / "to-a-file").symlink_to("inner//think.py")
    (bot / "to-a-folder").symlink_to("inner")
    (bot / "to-nothing").symlink_to("nowhere")
    write(bot, "a name with spaces and ü", "build/bot", "inner/build/bot", ".git/HEAD", "inner/__pycache__/think.pyc")
    (bot / os.fsdecode(b"\xff")).touch()
    assert sources(bot) == "41eadc37f087c972bd0b5b4d42f23e12fb4573cb99eafc9924c4857b22f8c124"


def test_the_digest_does_not_depend_on_where_the_bot_lies(bot: Path) -> None:
    before = sources(bot)
    assert sources(bot.rename(bot.parent / "elsewhere")) == before


def test_the_digest_does_not_depend_on_the_order_in_which_files_are_listed(bot: Path) -> None:
    files = tree_of(bot).sources
    assert list(files) != list(reversed(files))
    assert digest(dict(reversed(files.items()))) == digest(files)


# Sources, output, and what is hidden


def test_what_building_makes_is_output_at_the_top_and_hidden_deeper_down(bot: Path) -> None:
    write(bot, *(f"{name}/made/x" for name in BUILD_OUTPUT), *(f"inner/{name}/x" for name in BUILD_OUTPUT))
    found = tree_of(bot)
    assert set(found.sources) == {"bot.toml", "inner/think.py"}
    assert set(found.output) == {f"{name}/made/x" for name in BUILD_OUTPUT}
    assert set(found.visible.hidden) == {bot / "inner" / name for name in BUILD_OUTPUT}


@pytest.mark.parametrize("name", ["__pycache__", ".git", ".hg", ".svn", ".mypy_cache"])
def test_caches_and_version_control_are_hidden_at_any_depth(bot: Path, name: str) -> None:
    before = sources(bot)
    write(bot, f"{name}/x", f"inner/{name}/x")
    found = tree_of(bot)
    assert found.visible.hidden == (bot / name, bot / "inner" / name)
    assert (digest(found.sources), found.output) == (before, {})


def test_output_has_a_digest_of_its_own(bot: Path) -> None:
    write(bot, "build/bot")
    before = sources(bot), output(bot)
    (bot / "build" / "bot").write_text("built anew")
    assert sources(bot) == before[0]
    assert output(bot) != before[1]


def test_output_is_what_bot_toml_says_whatever_its_name_and_hides_nothing_inside(bot: Path) -> None:
    write(bot, "inner/made/x", "inner/made/dist/y", "inner/made/__pycache__/z", "build/w", "program")
    found = tree_of(bot, output=["inner/made", "program", "not-built-yet"])
    assert set(found.sources) == {"bot.toml", "inner/think.py"}
    assert set(found.output) == {"inner/made/x", "inner/made/dist/y", "inner/made/__pycache__/z", "program"}
    assert found.visible.hidden == (bot / "build",)


def test_a_file_that_is_called_like_build_output_is_a_source(bot: Path) -> None:
    write(bot, "build")
    assert "build" in tree_of(bot).sources


def test_around_output_inside_a_build_folder_folders_are_hidden_and_files_are_output(bot: Path) -> None:
    write(bot, "target/release/bot", "target/release/deps/x", "target/debug/bot", "target/lock", "target/release/bot.d")
    found = tree_of(bot, output=["target/release/bot"])
    assert set(found.output) == {"target/release/bot", "target/lock", "target/release/bot.d"}
    assert found.visible.hidden == (bot / "target/debug", bot / "target/release/deps")


def test_sources_that_call_themselves_output_are_pinned_all_the_same(bot: Path) -> None:
    before = output(bot, output=["inner"])
    (bot / "inner" / "think.py").write_text("other thoughts")
    assert output(bot, output=["inner"]) != before


NAMES = st.sampled_from(["a", "b", "build", "target", "__pycache__", ".git", "x.pyc", ".venv"])
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)


@given(files=st.sets(PATHS, max_size=8), declared=st.sets(PATHS, max_size=3))
def test_every_file_is_a_source_or_output_or_in_a_hidden_folder_and_never_two_of_these(
    tmp_path_factory: pytest.TempPathFactory, files: set[str], declared: set[str]
) -> None:
    folder = tmp_path_factory.mktemp("bot")
    written = {name for name in files if not any(other.startswith(f"{name}/") for other in files)}
    write(folder, *written)
    found = tree_of(folder, output=[path for path in declared if "__pycache__" not in path and ".git" not in path])
    seen = [*found.sources, *found.output]
    hidden = [name for name in written if found.visible.hides(folder / name)]
    assert sorted(seen + hidden) == sorted(written)


def test_too_many_folders_to_hide_are_refused(bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trees, "MOST_HIDDEN", 2)
    for number in range(3):
        write(bot, f"{number}/__pycache__/x")
    assert problem(bot).startswith("~/bot: has more than 2 folders like ")
    assert MOST_HIDDEN > 2


# Limits


def test_a_file_counts_with_its_apparent_size_and_is_not_read(bot: Path) -> None:
    with (bot / "sparse").open("wb") as file:
        file.truncate(1 << 40)
    assert problem(bot) == (
        "~/bot: has more than 512 MiB, which is too much for a bot's folder;"
        " remove what the bot does not need, or name in bot.toml what it needs of what its build makes (output);"
        " a league file can allow more (size_mib in [folders])"
    )


def test_many_files_together_are_too_large_and_hidden_ones_do_not_count(bot: Path) -> None:
    for name in ("a", "b", ".git/c"):
        write(bot, name)
        os.truncate(bot / name, 600 << 10)
    assert "has more than 1 MiB" in problem(bot, FolderLimits(size_mib=1))
    (bot / "b").unlink()
    tree_of(bot, FolderLimits(size_mib=1))


def test_the_files_that_links_lead_to_count_too_as_they_are_read_again(bot: Path) -> None:
    write(bot, "large")
    os.truncate(bot / "large", 600 << 10)
    (bot / "link").symlink_to("large")
    assert "has more than 1 MiB" in problem(bot, FolderLimits(size_mib=1))


@pytest.mark.parametrize("make", [Path.touch, Path.mkdir, lambda path: path.symlink_to("x")])
def test_too_many_files_folders_or_links_are_refused(bot: Path, make: Callable[[Path], None]) -> None:
    tree_of(bot, FolderLimits(files=3))
    make(bot / "one-more")
    assert "has more than 3 files, folders and links" in problem(bot, FolderLimits(files=3))


def test_the_walk_ends_where_a_limit_is_passed(bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(50):
        write(bot, f"folder-{number}/x")
    scanned: list[object] = []
    scandir = os.scandir

    def noting(path: Path) -> object:
        scanned.append(path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", noting)
    assert "has more than 10 files" in problem(bot, FolderLimits(files=10))
    assert len(scanned) == 1


@pytest.fixture
def abyss(bot: Path) -> Iterator[Path]:
    """A folder with 1,500 folders in one another, whose path is too long to be written."""
    name = "d" * 20
    here = os.open(bot, os.O_DIRECTORY)
    for _ in range(1500):
        os.mkdir(name, dir_fd=here)
        here = _step(here, name)
    os.close(here)
    yield bot
    os.chdir(bot)
    for _ in range(1500):
        os.chdir(name)
    for _ in range(1500):
        os.chdir("..")
        Path(name).rmdir()


def _step(here: int, name: str) -> int:
    try:
        return os.open(name, os.O_DIRECTORY, dir_fd=here)
    finally:
        os.close(here)


@pytest.mark.usefixtures("at_home_again")
def test_a_folder_of_depth_1500_is_refused_in_one_sentence(abyss: Path) -> None:
    assert "has folders that are more than 32 deep" in problem(abyss)
    assert "cannot be read: File name too long" in problem(abyss, FolderLimits(depth=2000))


@pytest.fixture
def at_home_again() -> Iterator[None]:
    home = Path.cwd()
    yield
    os.chdir(home)


def test_a_folder_may_be_as_deep_as_the_limit(bot: Path) -> None:
    write(bot, "1/2/3/x")
    tree_of(bot, FolderLimits(depth=3))
    assert "more than 2 deep" in problem(bot, FolderLimits(depth=2))


# What is no file


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(path))


@pytest.mark.parametrize(("make", "kind"), [(os.mkfifo, "a pipe"), (make_socket, "a socket")])
def test_special_files_are_refused_and_not_opened(bot: Path, make: Callable[[Path], None], kind: str) -> None:
    make(bot / "inner" / "special")
    assert problem(bot) == (
        f"~/bot/inner/special: is {kind}; a bot's folder may hold ordinary files, folders and links only"
    )


def test_a_file_that_becomes_a_pipe_after_the_walk_is_not_waited_for(bot: Path) -> None:
    found = tree_of(bot)
    (bot / "inner" / "think.py").unlink()
    os.mkfifo(bot / "inner" / "think.py")
    with pytest.raises(FolderError, match=r"think\.py: cannot be read: it is a pipe, not an ordinary file"):
        digest(found.sources)


def test_what_vanishes_meanwhile_is_one_sentence(bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = tree_of(bot)
    (bot / "inner" / "think.py").unlink()
    with pytest.raises(FolderError, match=r"think\.py: cannot be read: No such file or directory"):
        digest(found.sources)
    scandir = os.scandir

    def vanishes(path: Path) -> object:
        if path != bot:
            path.rmdir()
        return scandir(path)

    monkeypatch.setattr(os, "scandir", vanishes)
    assert problem(bot) == "~/bot/inner: cannot be read: No such file or directory"


# Links


def test_a_link_within_the_folder_is_fine(bot: Path) -> None:
    (bot / "link").symlink_to("inner/think.py")
    (bot / "inner" / "up").symlink_to(bot)
    found = tree_of(bot)
    assert set(found.sources) == {"bot.toml", "inner/think.py", "link", "inner/up"}
    assert found.visible.links == ()


@pytest.mark.parametrize("by_steps", [False, True])
@pytest.mark.parametrize("target", ["/etc/hostname", "../outside", "/", "inner/../../outside", "/dev/zero"])
def test_a_link_that_leads_out_is_refused_also_by_several_steps(bot: Path, target: str, by_steps: bool) -> None:
    write(bot.parent, "outside")
    (bot / "link").symlink_to(target)
    if by_steps:
        (bot / "inner" / "first").symlink_to("../link")
    sentence = problem(bot, links=["another"])
    name = "link" if "~/bot/link" in sentence else "inner/first"
    assert sentence == (
        f"~/bot/{name}: this link leads out of the bot's folder, to"
        f" {os.path.realpath(bot / target).replace(str(bot.parent), '~')};"
        f' copy what is there, or name the link in bot.toml: links = ["{name}"]'
    )


def test_links_that_lead_nowhere_or_to_each_other_do_no_harm(bot: Path) -> None:
    (bot / "dangling").symlink_to("/no/such/place")
    (bot / "loop").symlink_to("loop")
    for number in range(1200):
        (bot / f"chain-{number}").symlink_to(f"chain-{number + 1}")
    found = tree_of(bot, links=["dangling", "loop"])
    assert found.visible.links == ()
    assert digest(found.sources)


def test_a_named_link_may_lead_out_to_a_file_whose_content_counts(bot: Path) -> None:
    write(bot.parent, "engine")
    (bot / "inner" / "engine").symlink_to("../../engine")
    found = tree_of(bot, links=["inner/engine"])
    engine = bot.parent / "engine"
    assert found.visible.links == (Link("inner/engine", engine, engine),)
    before = digest(found.sources)
    engine.write_text("another engine")
    assert sources(bot, links=["inner/engine"]) != before


def test_what_is_in_a_folder_behind_a_named_link_counts_like_the_bot_s_own_and_is_hidden_like_it(bot: Path) -> None:
    shared = bot.parent / "shared"
    write(shared, "lib/code.py", "lib/__pycache__/code.pyc", "build/x")
    (bot / "common").symlink_to("../shared")
    found = tree_of(bot, links=["common"])
    assert set(found.sources) == {"bot.toml", "inner/think.py", "common", "common/lib/code.py"}
    assert found.visible.hidden == (shared / "build", shared / "lib/__pycache__")
    assert found.visible.links == (Link("common", shared, shared),)
    before = digest(found.sources)
    write(shared, "lib/more.py")
    assert sources(bot, links=["common"]) != before
    assert "has more than 6 files" in problem(bot, FolderLimits(files=6), links=["common"])


def test_what_a_link_in_the_output_leads_to_is_output(bot: Path) -> None:
    write(bot.parent, "disk/bot")
    (bot / "build").symlink_to("../disk")
    found = tree_of(bot, links=["build"])
    assert set(found.output) == {"build/bot"}


def test_a_link_behind_a_named_link_must_be_named_too_unless_it_stays_there(bot: Path) -> None:
    shared = bot.parent / "shared"
    write(shared, "x")
    write(bot.parent, "secret")
    (shared / "inside").symlink_to("x")
    (bot / "common").symlink_to("../shared")
    assert "common/inside" in tree_of(bot, links=["common"]).sources
    (shared / "outside").symlink_to("../secret")
    assert "shared/outside: this link leads out" in problem(bot, links=["common"])
    found = tree_of(bot, links=["common", "common/outside"])
    assert [link.name for link in found.visible.links] == ["common", "common/outside"]


def test_a_link_by_way_of_another_link_outside_is_bound_where_its_words_lead(bot: Path) -> None:
    write(bot.parent, "python-3.11/bin/python")
    (bot.parent / "python").symlink_to("python-3.11")
    (bot / "python").symlink_to(bot.parent / "python" / "bin" / "python")
    (link,) = tree_of(bot, links=["python"]).visible.links
    assert link.place == bot.parent / "python/bin/python"
    assert link.target == bot.parent / "python-3.11/bin/python"


def test_a_named_link_to_a_folder_above_ends(bot: Path) -> None:
    (bot / "up").symlink_to("..")
    found = tree_of(bot, links=["up"])
    assert {"up/bot/bot.toml", "up/bot/up"} <= set(found.sources)
    assert not any("up/bot/up/" in name for name in found.sources)


@pytest.mark.parametrize("target", ["/dev/zero", "/dev/null"])
def test_a_named_link_to_a_device_is_refused(bot: Path, target: str) -> None:
    (bot / "device").symlink_to(target)
    assert "/dev/" in problem(bot, links=["device"])
    assert "is a device" in problem(bot, links=["device"])
