"""Files that were made to hang the reader, to fill its memory or to end it with a traceback."""

import os
import socket
from pathlib import Path

import pytest

from referee.core.errors import FileProblems
from referee.files.safe_read import NotOrdinary, open_ordinary, read_ordinary, read_toml
from referee.files.transcripts import read_transcript

MOST = 64 << 10


def problem(path: Path) -> str:
    """The mistake in a TOML file, without the path in front."""
    with pytest.raises(FileProblems) as caught:
        read_toml(path, MOST)
    (sentence,) = caught.value.problems
    return sentence.removeprefix(f"{path}: ")


def toml(folder: Path, text: str) -> Path:
    (folder / "file.toml").write_text(text)
    return folder / "file.toml"


def test_a_pipe_without_a_writer_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert problem(tmp_path / "pipe") == "cannot be read: it is a pipe, not an ordinary file"


def test_a_link_to_an_endless_device_is_refused(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/dev/zero")
    assert problem(tmp_path / "link") == "cannot be read: it is a device, not an ordinary file"


def test_sockets_and_folders_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        assert problem(tmp_path / "socket") == "cannot be read: it is a socket, not an ordinary file"
    assert problem(tmp_path) == "cannot be read: it is a folder, not an ordinary file"


def test_a_thing_that_is_no_file_is_looked_up_and_never_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    opened: list[int] = []
    by_system = os.open

    def noting(path: Path, flags: int) -> int:
        opened.append(flags)
        return by_system(path, flags)

    monkeypatch.setattr(os, "open", noting)
    with pytest.raises(NotOrdinary):
        open_ordinary(tmp_path / "pipe")
    assert opened == [os.O_PATH | os.O_CLOEXEC]


def test_no_file_stays_open(tmp_path: Path) -> None:
    toml(tmp_path, "a = 1")
    before = files_open()
    with open_ordinary(tmp_path / "file.toml"):
        assert files_open() == before + 1
    with pytest.raises(NotOrdinary):
        open_ordinary(tmp_path)
    assert files_open() == before


def files_open() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_file_of_the_largest_size_is_read_and_a_sparse_one_of_a_tebibyte_is_not(tmp_path: Path) -> None:
    path = toml(tmp_path, "#" * MOST)
    assert read_ordinary(path, MOST) == b"#" * MOST
    assert read_toml(path, MOST) == {}
    os.truncate(path, 1 << 40)
    assert problem(path) == "is larger than 64 KiB; no such file may be"


DEEP = "has arrays or tables in one another that are more than 32 deep"
LONG = "has an integer of more than 64 bits, which TOML does not allow"
HOSTILE = {
    "50,000 nested arrays": ("a = " + "[" * 50_000, DEEP),
    "200 nested arrays": ("a = " + "[" * 200 + "]" * 200, DEEP),
    "nested tables": ("a = " + "{a=" * 200 + "1" + "}" * 200, DEEP),
    "a dotted key": (".".join(["a"] * 40) + " = 1", DEEP),
    "dotted keys in tables in arrays": ("a = [" + f"{{{'.'.join('b' * 200)} = [\n" * 100 + "]}" * 100 + "]", DEEP),
    "a dotted key of 30,000 parts": (".".join(["a"] * 30_000) + " = 1", "line 1: has 29,999 dots; at most 256"),
    "a table of 30,000 parts": ("\n[" + ".".join(["a"] * 30_000) + "]", "line 2: has 29,999 dots; at most 256"),
    "an integer of 5,000 digits": ("a = [" + "9" * 5_000 + "]", LONG),
    "a hexadecimal integer of 60,000 digits": ("a = {b = 0x" + "f" * 60_000 + "}", LONG),
    "an integer of 65 bits": (f"a = {1 << 63}", LONG),
}


@pytest.mark.parametrize(("text", "sentence"), HOSTILE.values(), ids=HOSTILE)
def test_toml_that_is_made_to_do_harm_is_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    assert problem(toml(tmp_path, text)).startswith(sentence)


def test_what_toml_allows_is_read(tmp_path: Path) -> None:
    nested = "[" * 31 + "]" * 31
    text = f'low = {-(1 << 63)}\nhigh = {(1 << 63) - 1}\nnested = {nested}\ndots = "{"." * 256}"\n'
    assert set(read_toml(toml(tmp_path, text), MOST)) == {"low", "high", "nested", "dots"}


TRANSCRIPTS = {
    "nested arrays": b'{"record": ' + b"[" * 100_000,
    "nested arrays where nothing is expected": b'{"more": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "bytes that are not UTF-8": b'{"digest": "\xff"}',
    "half a surrogate": b'{"digest": "\\ud800"}',
    "a long integer": b'{"record": ' + b"9" * 5_000 + b"}",
    "nothing": b"",
}


@pytest.mark.parametrize("content", TRANSCRIPTS.values(), ids=TRANSCRIPTS)
def test_a_transcript_that_is_made_to_do_harm_is_one_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "match.json"
    path.write_bytes(content)
    with pytest.raises(FileProblems) as caught:
        read_transcript(path)
    (sentence,) = caught.value.problems
    assert sentence.startswith(f"{path}: is not a transcript: ")


def test_a_transcript_that_is_a_pipe_or_too_large_is_one_sentence(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FileProblems, match=r"pipe: cannot be read: it is a pipe, not an ordinary file$"):
        read_transcript(tmp_path / "pipe")
    (tmp_path / "large").touch()
    os.truncate(tmp_path / "large", 1 << 40)
    with pytest.raises(FileProblems, match=r"large: is larger than 65,536 KiB; no such file may be$"):
        read_transcript(tmp_path / "large")
