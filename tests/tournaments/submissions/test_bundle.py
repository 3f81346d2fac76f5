"""What of a bot's folder travels, and the archive of it."""

import io
import os
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from referee.core.bot_limits import FolderLimits
from referee.core.errors import FileProblems
from referee.core.tree_listing import File, Listing, Symlink, digest
from referee.files import bot_folder
from tests.cli.command import BOTS, referee
from tests.needed import needs_git
from tests.tournaments.submissions.archives import BOT_TOML
from tests.tournaments.submissions.bad import LIMITS
from tournaments.submissions.bundle import bundle, pack
from tournaments.submissions.unpack import unpack


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "bot.toml").write_bytes(BOT_TOML)
    return folder


def write(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"the content of {name}", errors="surrogateescape")


def packed(folder: Path, listing: Listing | None = None) -> bytes:
    archive = io.BytesIO()
    pack(folder, bundle(folder, FolderLimits(size_mib=64)) if listing is None else listing, archive)
    return archive.getvalue()


def problem(bot: Path, limits: FolderLimits = LIMITS) -> str:
    """What keeps a bot from being packed, without the path to it."""
    with pytest.raises(FileProblems) as caught:
        bundle(bot, limits)
    (sentence,) = caught.value.problems
    return sentence.replace(str(bot.parent), "~")


# What travels


# fmt: off
STAY = [
    ".git/HEAD", "inner/.git", ".hg/x", ".svn/x", ".DS_Store", "inner/.DS_Store", "__pycache__/x", "a/__pycache__/x",
    ".mypy_cache/x", "a/.pytest_cache/x", ".ruff_cache/x", "node_modules/.cache/x", "a/node_modules/.cache/b/x",
]
TRAVEL = [
    ".gitignore", ".env", "build/x", "node_modules/m/x", "vendor/x", "target/x", ".venv/x", "a/.cache/x",
    "mypy_cache/x", "__pycache__x",
]
# fmt: on


def test_everything_travels_but_what_the_document_lists(bot: Path) -> None:
    write(bot, *STAY, *TRAVEL)
    assert set(bundle(bot, LIMITS)) == {"bot.toml", *TRAVEL}


def test_what_refereeignore_names_stays_by_the_rules_of_gitignore(bot: Path) -> None:
    write(
        bot,
        "a.o",
        "keep.o",
        "build/x",
        "inner/build/x",
        "deep/er/log.txt",
        "notes/x",
        "notes/keep",
        "# x",
        "docs/a/b/c.md",
    )
    (bot / ".refereeignore").write_text(
        "# objects\n*.o\n!keep.o\n/build/\n**/log.txt\nnotes/\n!notes/keep\n\n\\# x\ndocs/**/c.md\n"
    )
    assert set(bundle(bot, LIMITS)) == {"bot.toml", ".refereeignore", "keep.o", "inner/build/x"}


# fmt: off
PATTERNS = [
    "*.o", "!a.o", "/a", "b/", "a/b", "**/b", "a/**", "a/**/b", "?", "[ab]", "!b", "a*", "\\!a", "b/*", "!b/a", "#a",
    "**", "/**", "**/", "a/**/", "!a/**",
]
# fmt: on


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bot")
    (folder / "bot.toml").write_bytes(BOT_TOML)
    write(folder, "a.o", "a/a", "a/b/a", "a/b/b", "b/a.o", "c/a/b", "c/b/a", "!a")
    subprocess.run(["git", "init", "-q", folder], check=True)
    return folder


@needs_git
@settings(max_examples=settings().max_examples * 3 // 2)
@example(patterns=["a/**", "!b"])
@example(patterns=["a.o", "!b/"])
@given(patterns=st.lists(st.sampled_from(PATTERNS), min_size=1, max_size=5))
def test_what_stays_is_what_git_ignores(patterns: list[str], repository: Path) -> None:
    (repository / ".refereeignore").write_text("\n".join(patterns))
    asked = ["git", "-C", str(repository), "ls-files", "-z", "--others", "--exclude-per-directory=.refereeignore"]
    listed = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.split("\0")
    assert set(bundle(repository, LIMITS)) | {"bot.toml"} == {*filter(None, listed), "bot.toml"}


def test_nothing_is_packed_again_that_always_stays(bot: Path) -> None:
    write(bot, "__pycache__/x")
    (bot / ".refereeignore").write_text("!__pycache__/\n!__pycache__/x\n")
    assert set(bundle(bot, LIMITS)) == {"bot.toml", ".refereeignore"}


def test_what_stays_counts_to_no_limit_and_is_not_opened(bot: Path) -> None:
    write(bot, "data/1/2/3/4/5/6/7/x", *(f"data/{number}" for number in range(10, 150)))
    os.mkfifo(bot / "data" / "fifo")
    (bot / "big").touch()
    os.truncate(bot / "big", 2 << 20)
    (bot / "out").symlink_to("/etc")
    (bot / ".refereeignore").write_text("data/\nbig\nout\n")
    assert set(bundle(bot, LIMITS)) == {"bot.toml", ".refereeignore"}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"x\n!\n", "line 2: is not a pattern: Invalid git pattern: '!'"),
        (b"[z-a]\n", "line 1: is not a pattern: bad character range z-a at position 10"),
        (b"\xff\n", "is not UTF-8; save it as UTF-8"),
        (b"*a*a*a*a*a*a*a*b\n", "line 1: has more than 3 stars; write several patterns"),
        (b"x" * (17 << 10), "is larger than 16 KiB; no such file may be"),
    ],
)
def test_a_refereeignore_that_cannot_be_used_is_refused(content: bytes, sentence: str, bot: Path) -> None:
    (bot / ".refereeignore").write_bytes(content)
    assert problem(bot) == f"~/bot/.refereeignore: {sentence}"


def test_a_refereeignore_that_is_a_pipe_is_not_opened(bot: Path) -> None:
    os.mkfifo(bot / ".refereeignore")
    assert problem(bot) == "~/bot/.refereeignore: cannot be read: it is a pipe, not an ordinary file"


# Hostile folders


def a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))


def sparse(path: Path) -> None:
    path.touch()
    os.truncate(path, 1 << 40)


def some(count: int) -> Callable[[Path], None]:
    return lambda folder: write(folder, *(f"f{number}" for number in range(count)))


HOSTILE: dict[str, tuple[Callable[[Path], object], str]] = {
    "a FIFO": (lambda folder: os.mkfifo(folder / "x"), "x: it is a pipe, not an ordinary file"),
    "a socket": (lambda folder: a_socket(folder / "x"), "x: it is a socket, not an ordinary file"),
    "a link out": (lambda folder: (folder / "x").symlink_to("/etc/passwd"), "x: this link leads out of"),
    "a link to a link out": (lambda folder: (folder / "x").symlink_to("../bot/bot.toml"), "x: this link leads out of"),
    "a huge file": (lambda folder: sparse(folder / "x"), "has files of more than 1 MiB together; name what"),
    "many files": (some(100), "has more than 100 files, folders and links"),
    "deep folders": (
        lambda folder: (folder / "1/2/3/4/5/6").mkdir(parents=True),
        "1/2/3/4/5/6: is more than 5 folders",
    ),
    "a name that is not UTF-8": (
        lambda folder: write(folder, os.fsdecode(b"x\xff")),
        "x\\udcff: its name is not UTF-8",
    ),
    "names that differ by case": (lambda folder: write(folder, "Bot.toml"), "some systems take this name and"),
    "a name with an escape": (lambda folder: write(folder, "\x1b[2J"), "\\x1b[2J: has a character in its name"),
    "no bot.toml": (lambda folder: (folder / "bot.toml").unlink(), "there is no such file"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_what_cannot_be_submitted_is_refused_with_a_sentence(what: str, bot: Path) -> None:
    make, sentence = HOSTILE[what]
    make(bot)
    assert sentence in problem(bot)


def test_a_folder_that_cannot_be_read_is_named(bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_folder: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "scandir", fail)
    assert problem(bot) == "~/bot: the folder: cannot be read: Permission denied"


# The archive


def fill(bot: Path) -> None:
    write(bot, "inner/think.py", "ünïcode/日本", "long/" + "x" * 200, "run")
    (bot / "run").chmod(0o700)
    (bot / "inner" / "link").symlink_to("../bot.toml")
    (bot / "empty").mkdir()


def test_what_is_packed_and_unpacked_is_what_travels_with_the_digest_of_the_folder(bot: Path, tmp_path: Path) -> None:
    fill(bot)
    listing = bundle(bot, LIMITS)
    assert unpack(io.BytesIO(packed(bot)), tmp_path / "again", LIMITS) == listing
    assert bundle(tmp_path / "again", LIMITS) == listing
    assert digest(listing) == bot_folder.digest({name: bot / name for name in listing})
    assert isinstance(listing["run"], File)
    assert listing["run"].executable
    assert listing["inner/link"] == Symlink("../bot.toml")


def test_the_same_files_give_the_same_bytes_whoever_packs_them_whenever(bot: Path, tmp_path: Path) -> None:
    fill(bot)
    before = packed(bot)
    other = bot.rename(tmp_path / "elsewhere")
    os.utime(other / "run", (1, 1))
    (other / "inner" / "think.py").chmod(0o600)
    (other / "run").chmod(0o777)
    if os.geteuid() == 0:
        os.chown(other / "run", 1234, 1234)
    assert packed(other) == before


def test_an_archive_says_nothing_of_who_packed_it_and_when(bot: Path) -> None:
    listed = subprocess.run(
        ["tar", "-tvzf", "-", "--numeric-owner", "--utc"], input=packed(bot), check=True, capture_output=True
    ).stdout.decode()
    assert listed.split() == ["-rw-r--r--", "0/0", str(len(BOT_TOML)), "1970-01-01", "00:00", "bot.toml"]


@pytest.mark.parametrize("change", [b"shorter", b"other content", b"much longer than before"])
def test_a_file_that_changes_while_it_is_packed_is_noticed(change: bytes, bot: Path) -> None:
    (bot / "x").write_bytes(b"some  content")
    listing = bundle(bot, LIMITS)
    (bot / "x").write_bytes(change)
    with pytest.raises(FileProblems, match=r"x: changed while it was packed; pack the bot again"):
        packed(bot, listing)


LANGUAGES = sorted(path.parent.name for path in BOTS.parent.glob("*/starter"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_bot_can_be_submitted_and_what_its_build_makes_stays(language: str, tmp_path: Path) -> None:
    bot = tmp_path / "mine"
    assert referee("new", language, bot, "--protocol", "grpc").code == 0
    before = bundle(bot, FolderLimits(size_mib=64))
    assert {"bot.toml", "README.md"} <= set(before)
    write(bot, *(f"{folder}/made" for folder in ("build", "target", ".venv", "__pycache__")))
    made = {"cpp": "build", "go": "build", "java": "build", "python": ".venv", "rust": "target"}.get(language)
    assert f"{made}/made" not in bundle(bot, FolderLimits(size_mib=64))
    archive = packed(bot)
    assert unpack(io.BytesIO(archive), tmp_path / "again", FolderLimits(size_mib=64)) == bundle(
        bot, FolderLimits(size_mib=64)
    )
