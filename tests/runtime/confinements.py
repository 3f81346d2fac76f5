"""A confinement for tests: it notes its calls."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from referee.files.bot_folder import Visible
from referee.files.manifest import Reach
from referee.runtime.bot_address import NO_VARIABLES
from referee.runtime.confinement import BotBox, BuildBox, Unconfined


class Recording(Unconfined, frozen=True):
    """Confines nothing. For each command it notes in a file what the command is for, and for which bot."""

    file: Path

    def to_play(
        self,
        command: Sequence[str],
        visible: Visible,
        scratch: Path,
        reach: Reach,
        variables: Mapping[str, str] = NO_VARIABLES,
    ) -> BotBox:
        self._note(f"play {visible.folder} {reach}")
        return super().to_play(command, visible, scratch, reach, variables)

    def to_build(self, command: Sequence[str], visible: Visible) -> BuildBox:
        self._note(f"build {visible.folder}")
        return super().to_build(command, visible)

    def noted(self) -> list[str]:
        """What was noted, in order."""
        return self.file.read_text().splitlines() if self.file.exists() else []

    def _note(self, what: str) -> None:
        with self.file.open("a") as file:
            file.write(f"{what}\n")
