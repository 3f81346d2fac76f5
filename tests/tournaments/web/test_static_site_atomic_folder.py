"""A reader of a folder that is written anew sees the old site or the new one, even after a failure."""

import ctypes
import errno
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tournaments.web import static_site
from tournaments.web.static_site import CannotWrite, SiteFile, replace_folder, write

Exchange = Callable[[Path, Path], bool]


def site(word: str) -> list[SiteFile]:
    return [SiteFile("index.html", word.encode()), SiteFile("autumn/index.html", word.encode())]


def told(folder: Path) -> set[str]:
    return {path.read_text() for path in folder.rglob("*.html")}


@pytest.fixture(params=["in one step", "one after the other"])
def exchange(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "one after the other":
        monkeypatch.setattr(static_site, "_exchanged", lambda *_: False)


@pytest.mark.usefixtures("exchange")
def test_a_site_takes_the_place_of_the_one_before_and_nothing_else_is_left(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    assert write([*site("old"), SiteFile("gone.html", b"old")], folder) == 3
    assert write(site("new"), folder) == 2
    assert told(folder) == {"new"}
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


@pytest.mark.usefixtures("exchange")
def test_a_site_that_fails_leaves_the_one_before(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    write(site("old"), folder)

    def failing() -> Any:
        yield site("new")[0]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(failing(), folder)
    assert told(folder) == {"old"}
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_a_full_disk_is_told_and_leaves_the_one_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "site"
    write(site("old"), folder)

    def full(self: Path, _: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(CannotWrite, match="No space left on device"):
        write(site("new"), folder)
    monkeypatch.undo()
    assert told(folder) == {"old"}
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_a_reader_never_misses_a_file(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    write(site("0"), folder)
    wrong: list[str] = []
    over = threading.Event()

    def read() -> None:
        while not over.is_set():
            try:
                (folder / "autumn/index.html").read_text()
            except OSError as error:
                wrong.append(str(error))

    reader = threading.Thread(target=read)
    reader.start()
    for number in range(1, 40):
        write(site(str(number)), folder)
    over.set()
    reader.join()
    assert wrong == []
    assert told(folder) == {"39"}


def test_what_is_no_site_is_not_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "thesis"
    folder.mkdir()
    (folder / "chapter.txt").write_text("years of work")
    with pytest.raises(CannotWrite, match="holds something else than pages of leagues"):
        write(site("new"), folder)
    assert (folder / "chapter.txt").read_text() == "years of work"
    with pytest.raises(CannotWrite, match="holds something else"):
        write(site("new"), folder / "chapter.txt")


@pytest.mark.parametrize("stranger", ["letter", "autumn/letter", ".git/config", "link", "autumn/index.html.orig"])
def test_a_site_with_a_file_that_was_not_written_with_it_stays_as_it_is(tmp_path: Path, stranger: str) -> None:
    folder = tmp_path / "site"
    write(site("old"), folder)
    (folder / stranger).parent.mkdir(exist_ok=True)
    if stranger == "link":
        (folder / stranger).symlink_to(tmp_path)
    else:
        (folder / stranger).write_text("hi")
    with pytest.raises(CannotWrite, match=rf"{stranger}: was not written with the pages beside it; move it away"):
        write(site("new"), folder)
    assert told(folder) == {"old"}
    (folder / stranger).unlink()
    write(site("new"), folder)
    assert told(folder) == {"new"}


def test_what_comes_while_a_site_is_written_stays(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    write(site("old"), folder)
    with pytest.raises(CannotWrite, match="letter: was not written"), replace_folder(folder):
        (folder / "letter").write_text("hi")
    assert (folder / "letter").read_text() == "hi"
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_a_mark_that_is_no_file_marks_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    os.mkfifo(folder / ".referee-site")
    with pytest.raises(CannotWrite, match="holds something else"):
        write(site("new"), folder)


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    write(site("new"), tmp_path / "site")
    assert told(tmp_path / "site") == {"new"}


def test_where_names_cannot_be_exchanged_for_another_reason_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "site"
    write(site("old"), folder)

    class Libc:
        def renameat2(self, *_: object) -> int:
            ctypes.set_errno(errno.EACCES)
            return -1

    monkeypatch.setattr(ctypes, "CDLL", lambda *_, **__: Libc())
    with pytest.raises(CannotWrite, match="Permission denied"), replace_folder(folder):
        pass
    assert told(folder) == {"old"}


def test_a_parent_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CannotWrite, match="cannot be written"):
        write(site("new"), tmp_path / "file/below/site")
