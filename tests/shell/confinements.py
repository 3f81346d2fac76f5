"""Confinements for tests: one that notes its calls, and one whose bot is a child of the started process."""

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

from referee.files.manifest import Transport
from referee.shell.confinement import Unconfined


class Recording(Unconfined, frozen=True):
    """Confines nothing. For each command it notes in a file what the command is for, and for which bot."""

    file: Path

    def to_play(self, command: Sequence[str], folder: Path, sockets: Path, transport: Transport) -> list[str]:
        self._note(f"play {folder} {transport}")
        return super().to_play(command, folder, sockets, transport)

    def to_build(self, command: Sequence[str], folder: Path) -> list[str]:
        self._note(f"build {folder}")
        return super().to_build(command, folder)

    def noted(self) -> list[str]:
        """What was noted, in order."""
        return self.file.read_text().splitlines() if self.file.exists() else []

    def _note(self, what: str) -> None:
        with self.file.open("a") as file:
            file.write(f"{what}\n")


class Boxed(Unconfined, frozen=True):
    """Starts a shell in a session of its own. The bot is the shell's child. A box works like this."""

    def to_play(self, command: Sequence[str], folder: Path, sockets: Path, transport: Transport) -> list[str]:  # noqa: ARG002
        # A box does not outlive its parent either, not even a test that is killed.
        return ["sh", "-c", 'setpriv --pdeathsig KILL -- setsid "$@" & wait $!; exit $?', "box", *command]

    async def bot_pid(self, started: int) -> int:
        children = Path(f"/proc/{started}/task/{started}/children")
        while not (found := [int(pid) for pid in children.read_text().split() if os.getpgid(int(pid)) == int(pid)]):
            await asyncio.sleep(0.001)
        return found[0]

    def bot_status(self, started: int) -> int:
        """The status of the bot. A shell ends with 128 + n if signal n ended its child."""
        return 128 - started if started > 128 else started
