"""One command, confined and run to its end."""

import asyncio
import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec

from referee.files.bot_folder import Visible
from referee.runtime.confinement import BotBox, BuildBox, Confinement
from referee.runtime.process_sessions import kill_session

_PATIENCE_S = 10.0


class CommandResult(msgspec.Struct, frozen=True):
    """The result of a command.

    Attributes:
        code: 0 if it succeeded.
        output: what it wrote to its standard output.
        words: what it, or the program that confines it, wrote to standard error.
    """

    code: int
    output: str
    words: str


def run_playing(confined: Confinement, command: Sequence[str], folder: Path) -> CommandResult:
    """Run a command to its end, confined like a bot that plays.

    `folder` is empty. This makes two folders in it: the command's own folder, in which it runs, and its scratch folder.

    Raises:
        OSError: the command could not be confined, or did not end in time; the text says why.
    """
    home, scratch = folder / "bot", folder / "scratch"
    home.mkdir()
    scratch.mkdir()
    with (
        closing(confined.to_play(command, Visible(home), scratch, "unix")) as box,
        _started(box, home, box.environment, box.stdin) as process,
    ):
        box.started(process.pid)
        failure = _failure(box)
        ended = _ended(process)
    if failure is not None:
        raise OSError(*ended.words.splitlines()[-1:] or [str(failure)])
    return ended


def run_building(confined: Confinement, command: Sequence[str], folder: Path) -> CommandResult:
    """Run a command to its end in an empty folder, confined like the build of a bot.

    Raises:
        OSError: the command could not be confined, or did not end in time; the text says why.
    """
    with (
        closing(confined.to_build(command, Visible(folder))) as box,
        _started(box, folder, {}, subprocess.DEVNULL) as process,
    ):
        return _ended(process)


@contextmanager
def _started(
    box: BuildBox, home: Path, environment: Mapping[str, str], stdin: int
) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(
        box.command,
        cwd=home,
        env={"PATH": os.environ.get("PATH", os.defpath), **environment},
        pass_fds=box.inherited,
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            kill_session(process.pid)


def _ended(process: subprocess.Popen[bytes]) -> CommandResult:
    try:
        output, words = process.communicate(timeout=_PATIENCE_S)
    except subprocess.TimeoutExpired as error:
        raise TimeoutError(f"what was started did not end within {_PATIENCE_S:g} s") from error
    return CommandResult(process.returncode, _text(output), _text(words))


def _text(output: bytes) -> str:
    return output.decode(errors="replace").strip()


def _failure(box: BotBox) -> OSError | None:
    """Why nothing runs in the box; None if something does."""
    try:
        asyncio.run(asyncio.wait_for(box.bot_pid(), _PATIENCE_S))
    except OSError as error:  # a TimeoutError is one, too
        return error
    return None
