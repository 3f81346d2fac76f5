"""Unpacking an archive gives a tree within limits, or one sentence of refusal and nothing on the disk."""

import contextlib
import errno
import io
import os
import random
import shutil
import stat
import subprocess
import tempfile
import tracemalloc
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.bot_limits import FolderLimits
from referee.core.tree_listing import File, Listing, Symlink, digest, size_of
from referee.files import bot_folder
from tests.needed import needs_git
from tests.tournaments.submissions.archives import (
    BOT,
    BOT_TOML,
    END,
    file,
    folder,
    gnu,
    header,
    link,
    packed,
    pax,
    zipped,
    zipped_zeros,
)
from tests.tournaments.submissions.bad import BAD, LIMITS
from tournaments.submissions.unpack import ArchiveError, unpack

TAR = shutil.which("tar") or "tar"


def unpacked(archive: bytes, place: Path, limits: FolderLimits = LIMITS) -> Listing:
    return unpack(io.BytesIO(archive), place, limits)


def refusal(archive: bytes, outer: Path, limits: FolderLimits = LIMITS) -> str:
    """The sentence with which an archive is refused; no file of it remains anywhere."""
    with pytest.raises(ArchiveError) as caught:
        unpacked(archive, outer / "bot", limits)
    assert list(outer.iterdir()) == []
    (sentence,) = caught.value.problems
    return sentence.removeprefix("the archive is refused: ")


def on_disk(place: Path) -> dict[str, tuple[str, str]]:
    """By path, mode and content of all that is in a folder, links and folders too."""
    return {
        path.relative_to(place).as_posix(): (
            stat.filemode(path.lstat().st_mode),
            os.readlink(path) if path.is_symlink() else path.read_text() if path.is_file() else "",  # noqa: PTH115 - as it is
        )
        for path in place.rglob("*")
    }


# What is refused


def test_a_bad_archive_is_refused_with_its_sentence_and_leaves_nothing(tmp_path: Path) -> None:
    for what, (archive, sentence) in BAD.items():
        assert refusal(archive(), tmp_path) == sentence, what


def test_at_least_forty_bad_archives_are_listed_and_each_gets_one_line() -> None:
    assert len(BAD) >= 40
    assert all(sentence and sentence.isprintable() for _, sentence in BAD.values())


def test_what_is_there_already_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "mine").touch()
    with pytest.raises(OSError, match="not empty"):
        unpacked(packed(), tmp_path / "bot")
    assert [path.name for path in tmp_path.rglob("*")] == ["bot", "mine"]


def test_a_disk_that_fails_is_no_refusal_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_file: int, _mode: int) -> None:
        raise OSError(errno.ENOSPC, "no space left")

    monkeypatch.setattr(os, "fchmod", fail)
    with pytest.raises(OSError, match="no space left"):
        unpacked(packed(), tmp_path / "bot")
    assert list(tmp_path.iterdir()) == []


def test_a_signal_in_the_middle_leaves_nothing(tmp_path: Path) -> None:
    archive = mock.Mock(spec=io.BytesIO)
    archive.read.side_effect = [packed()[:60], KeyboardInterrupt]
    with pytest.raises(KeyboardInterrupt):
        unpack(archive, tmp_path / "bot", LIMITS)
    assert list(tmp_path.iterdir()) == []


def test_a_bomb_is_refused_before_it_fills_memory_or_disk(tmp_path: Path) -> None:
    bomb = zipped_zeros(30, BOT, header(b"zeros", size=30 << 20))
    assert len(bomb) < 40_000
    tracemalloc.start()
    assert refusal(bomb, tmp_path, FolderLimits(size_mib=20)).startswith("has files of more than 20 MiB together")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 2 << 20


def test_content_is_not_held_in_memory(tmp_path: Path) -> None:
    archive = zipped(BOT + file(b"big", random.Random(1).randbytes(1 << 20) * 16) + END)
    tracemalloc.start()
    unpacked(archive, tmp_path / "bot", FolderLimits(size_mib=64))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 2 << 20


# What is unpacked


TREE = [
    BOT,
    folder(b"./"),
    folder(b"empty/"),
    file(b"./src/main.py", b"print()"),
    file(b"run.sh", b"exec", mode=0o700),
    file(b"hidden", b"?", mode=0o000),
    link(b"src/toml", b"../bot.toml"),
    link(b"gone", b"build/bot"),
]


def test_what_is_in_a_good_archive_is_unpacked_with_fixed_modes_whatever_umask_says(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        listing = unpacked(zipped(b"".join(TREE) + END), tmp_path / "bot")
    finally:
        os.umask(before)
    assert on_disk(tmp_path / "bot") == {
        "bot.toml": ("-rw-r--r--", BOT_TOML.decode()),
        "src": ("drwxr-xr-x", ""),
        "src/main.py": ("-rw-r--r--", "print()"),
        "src/toml": ("lrwxrwxrwx", "../bot.toml"),
        "run.sh": ("-rwxr-xr-x", "exec"),
        "hidden": ("-rw-r--r--", "?"),
        "gone": ("lrwxrwxrwx", "build/bot"),
    }
    assert stat.S_IMODE((tmp_path / "bot").stat().st_mode) == 0o755
    assert digest(listing) == bot_folder.digest({name: tmp_path / "bot" / name for name in listing})
    assert isinstance(listing["run.sh"], File)
    assert listing["run.sh"].executable


def test_exactly_the_limits_are_allowed(tmp_path: Path) -> None:
    rest = (1 << 20) - len(BOT_TOML)
    deep = file(b"1/2/3/4/5/f", bytes(rest))
    assert size_of(unpacked(packed(deep, *(file(b"f%d" % each) for each in range(93))), tmp_path / "bot")) == 1 << 20
    (tmp_path / "other").mkdir()
    one_more = packed(deep, *(file(b"f%d" % each) for each in range(94)))
    assert refusal(one_more, tmp_path / "other").startswith("has more than 100 files")


def test_names_alone_that_no_system_confuses_are_allowed(tmp_path: Path) -> None:
    names = ("CON", "trailing.", "with space", "ümlaut/日本語", "a", "b/A", "..a", "-rf", "~")
    assert set(unpacked(packed(*(file(name.encode()) for name in names)), tmp_path / "bot")) == {"bot.toml", *names}


LONG = "/".join(["long" * 20] * 4)


UP = b"../../../bot.toml"


@pytest.mark.parametrize(
    "extended",
    [
        gnu(b"L", LONG.encode()) + gnu(b"K", UP),
        pax((b"path", LONG.encode()), (b"linkpath", UP), (b"mtime", b"1.5")),
        pax((b"path", LONG.encode()), *[(b"k%d" % number, b"v") for number in range(62)], (b"linkpath", UP)),
        pax((b"comment", b"of all"), kind=b"g") + pax((b"path", LONG.encode())) + pax((b"linkpath", UP)),
    ],
    ids=["gnu", "pax", "many records", "several"],
)
def test_long_names_and_targets_are_read(extended: bytes, tmp_path: Path) -> None:
    listing = unpacked(packed(extended, link(b"short", b"short"), file(b"next")), tmp_path / "bot")
    assert set(listing) == {"bot.toml", LONG, "next"}
    assert listing[LONG] == Symlink(UP.decode())


@pytest.mark.parametrize("how", ["--format=gnu", "--format=posix", "--format=ustar"])
def test_what_tar_packs_is_read(how: str, tmp_path: Path) -> None:
    bot = unpack_into(tmp_path / "bot")
    made = tmp_path / "bot.tar.gz"
    subprocess.run([TAR, how, "-czf", made, "-C", bot, "."], check=True)
    assert unpacked(made.read_bytes(), tmp_path / "again") == listing_without_empty()


@needs_git
def test_what_git_packs_is_read(tmp_path: Path) -> None:
    bot = unpack_into(tmp_path / "bot")
    git = ["git", "-C", str(bot), "-c", "user.name=x", "-c", "user.email=x"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "x"]):
        subprocess.run([*git, *words], check=True)
    made = subprocess.run([*git, "archive", "--format=tar.gz", "HEAD"], check=True, capture_output=True).stdout
    assert unpacked(made, tmp_path / "again") == listing_without_empty()


def unpack_into(place: Path) -> Path:
    unpacked(zipped(b"".join(TREE) + END), place)
    return place


def listing_without_empty() -> Listing:
    with tempfile.TemporaryDirectory() as place:
        return unpacked(zipped(b"".join(TREE) + END), Path(place) / "bot")


# Fuzzing: whatever comes, the outcome is a tree within limits or a refusal


def hold(archive: bytes) -> None:
    with tempfile.TemporaryDirectory() as place:
        outer = Path(place).resolve()
        (outer / "others").mkdir()
        (outer / "others" / "file").write_text("theirs")
        expected = {"others"}
        with contextlib.suppress(ArchiveError):
            listing = unpacked(archive, outer / "bot")
            expected = {"others", "bot"}
            check_tree(listing, outer / "bot")
        assert {path.name for path in outer.iterdir()} == expected
        assert (outer / "others" / "file").read_text() == "theirs"


def check_tree(listing: Listing, bot: Path) -> None:
    found = [path for path in bot.rglob("*") if path.is_symlink() or not path.is_dir()]
    assert {path.relative_to(bot).as_posix() for path in found} == set(listing)
    assert len(list(bot.rglob("*"))) <= LIMITS.files
    assert all(path.is_symlink() or path.is_file() for path in found)
    assert all(path.is_symlink() or path.stat().st_mode in {0o100644, 0o100755} for path in found)
    assert all(
        target is None or target.is_relative_to(bot)
        for target in (bot_folder.resolved(p) for p in found if p.is_symlink())
    )
    assert sum(path.stat().st_size for path in found if not path.is_symlink()) <= LIMITS.size_mib << 20
    assert digest(listing) == bot_folder.digest({name: bot / name for name in listing})


GOOD = b"".join([*TREE, gnu(b"L", LONG.encode()), file(b"x", b"content"), pax((b"path", b"p/q")), file(b"x")]) + END
PLACES = st.integers(0, len(GOOD) - 1)


@st.composite
def mutated(draw: st.DrawFn, original: bytes) -> bytes:
    """The bytes with one to four changes: some written over, put in, taken out, moved or doubled."""
    content = bytearray(original)
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(content)))
        end = draw(st.integers(start, min(len(content), start + draw(st.sampled_from([1, 8, 100, 512, 5000])))))
        other = draw(st.integers(0, len(content)))
        content[start:end] = draw(
            st.one_of(st.binary(max_size=8), st.just(b""), st.just(bytes(content[other : other + end - start])))
        )
    return bytes(content)


@given(mutated(zipped(GOOD)))
def test_a_mutated_gzip_gives_a_tree_within_limits_or_a_refusal(archive: bytes) -> None:
    hold(archive)


@given(mutated(GOOD))
def test_a_mutated_tar_gives_a_tree_within_limits_or_a_refusal(content: bytes) -> None:
    hold(zipped(content))


PATHS = st.lists(
    st.sampled_from(
        [b"a", b"A", b"b", b"..", b".", b"", b"l", "é".encode(), "e\u0301".encode(), b"\xff", b"con", b"b."]
    ),
    min_size=1,
    max_size=4,
).map(b"/".join)
KINDS = st.sampled_from(b"0000555222\x00134679SVxgLKZ").map(lambda kind: bytes([kind]))
SIZES = st.one_of(st.just(0), st.integers(0, 2000), st.sampled_from([b"77777777777", b"\xff" * 12, b""]))


@st.composite
def members(draw: st.DrawFn) -> bytes:
    """A member with a right checksum, and otherwise anything; sometimes with a long name of one kind or the other."""
    content = draw(st.binary(max_size=600))
    named = draw(st.sampled_from([None, "pax", "gnu"]))
    path, target = draw(PATHS), draw(PATHS)
    extended = b"" if named is None else gnu(b"L", path) if named == "gnu" else pax((b"path", path))
    size = draw(st.one_of(st.just(len(content)), SIZES))
    mode = draw(st.sampled_from([0o644, 0o755, 0o4755, 0o000]))
    own = header(path[:100], draw(KINDS), size=size, mode=mode, target=target[:100])
    return extended + own + content + bytes(-len(content) % 512)


@given(st.lists(members(), max_size=6))
def test_any_members_give_a_tree_within_limits_or_a_refusal(some: list[bytes]) -> None:
    hold(packed(*some))


@given(st.lists(st.tuples(PATHS, st.one_of(st.none(), PATHS)), max_size=8))
def test_files_and_links_anywhere_give_a_tree_that_stays_inside_or_a_refusal(
    some: list[tuple[bytes, bytes | None]],
) -> None:
    hold(packed(*(file(path) if target is None else link(path, target) for path, target in some)))
