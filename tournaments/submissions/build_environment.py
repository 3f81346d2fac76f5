"""The place where submitted bots are built and checked: in the league's sandbox, without a network, within limits.

The text that an author reads of it contains no paths of the organizer's machine.
"""

import asyncio
import io
import os
import platform
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import msgspec
import uvloop

from referee.check.matches import Setup
from referee.check.run_check import check, report_lines
from referee.core.bot_limits import FolderLimits
from referee.core.errors import FileProblems, WrongUse
from referee.files.manifest import MANIFEST, Manifest
from referee.runtime.bot_process import FORCED
from referee.runtime.confinement import Confinement, confinement
from referee.runtime.local_bot import LocalBot, read_bot, read_sources
from referee.runtime.probe_process import require_usable_limits
from referee.runtime.run_build import LAST_SHOWN, LimitExceeded, build
from referee.runtime.sandbox.readable_paths import SYSTEM, own_python
from referee.runtime.sandbox.resource_watch import too_much_memory, written
from referee.runtime.sandbox.runtimes import runtimes
from referee.runtime.sandbox.self_test import obstacle
from referee.wire.registry import game_entry
from tournaments.league.model import League, TableSpec
from tournaments.league.service_terms import SubmissionTerms

_LONGEST_LINE = 65_536
"""A line that is longer is passed on in parts, and a path between two parts stays."""

_HAS_NAME = 2
"""The parts of a path that has a name below the root."""


def organizer_names(folder: Path, read: Iterable[Path]) -> dict[str, str]:
    """The places that an author may not read about, each with the name that takes its place.

    Args:
        folder: the folder of the author's bot.
        read: the places that every bot of the league may read.
    """
    places = {place: place.name for place in (Path(tempfile.gettempdir()), *read, *own_python())}
    named = places | {Path.home(): "~", folder: "bot", folder.resolve(): "bot"}
    return {str(place): name for place, name in named.items() if _tells_something(place)}


def _tells_something(place: Path) -> bool:
    is_everywhere = place.is_relative_to(SYSTEM) or place == Path("/tmp")  # noqa: S108 - each box has one
    return len(place.parts) >= _HAS_NAME and not is_everywhere


class PathFilter:
    """Passes text on, line by line, with names in the place of the organizer's paths."""

    def __init__(self, tell: Callable[[str], None], names: dict[str, str]) -> None:
        """Pass text on to `tell`; `names` maps each path to its name. The longest path that fits is replaced."""
        self._tell = tell
        self._names = names
        paths = "|".join(re.escape(path) for path in sorted(names, key=len, reverse=True))
        self._pattern = re.compile(rf"(?<![\w.-])(?:{paths})(?![\w-])")
        self._open_line = ""

    def __call__(self, text: str) -> None:
        """Take a piece of the text."""
        lines, newline, self._open_line = (self._open_line + text).rpartition("\n")
        if lines or newline:
            self._tell(self.named(lines + newline))
        if len(self._open_line) > _LONGEST_LINE:
            self.flush()

    def named(self, text: str) -> str:
        """The text with names in the place of paths."""
        return self._pattern.sub(lambda found: self._names[found[0]], text)

    def flush(self) -> None:
        """Pass on a line that has not ended."""
        if self._open_line:
            self._tell(self.named(self._open_line))
            self._open_line = ""


_MOST_WRITTEN = 200_000
"""Files and folders that a build may make."""

Tell = Callable[[str], None]
"""Receives the output, in pieces of any length. It contains the output of bots, unescaped."""


class BuildFailed(Exception):
    """A bot cannot be built, or broke the rules in its check; the text says how, in a sentence."""


class BotKilled(BuildFailed):
    """A process of the bot was ended by force, from outside or by the bot itself, so it may be at fault or not."""


class CannotConfine(WrongUse):
    """Submitted bots cannot be built or checked on this machine as the league asks."""


class BuildEnvironment(Protocol):
    """Builds and checks bots."""

    @property
    def platform(self) -> str:
        """The platform that builds depend on. A build of one platform is not used on another."""

    @property
    def limits(self) -> FolderLimits:
        """The limits of a bot's folder before and after its build."""

    def check_confinement(self) -> None:
        """Check that bots can be confined here.

        Raises:
            CannotConfine: they cannot.
        """

    def build(self, folder: Path, tell: Tell) -> dict[str, str]:
        """Build the bot in a writable folder, if the bot needs a build.

        Returns:
            By name, the versions of the programs that build and run it.

        Raises:
            BuildFailed: the build fails, exceeds its time or another limit, or leaves nothing to run.
            CannotConfine: it needs a build, and builds cannot be confined here.
            OSError: it cannot be confined here, or the disk fails.
        """

    def check(self, folder: Path, tell: Tell) -> None:
        """Let a built bot play at every table of the league, and test its conduct.

        Raises:
            BuildFailed: it broke the rules, or took too long.
            Void: the check failed through our fault, so it says nothing about the bot.
        """


def platform_here() -> str:
    """The platform of this machine: its system, its kind, and its C library."""
    return "-".join(filter(None, (sys.platform, platform.machine(), *platform.libc_ver())))


class LocalBuildEnvironment:
    """The build environment of a league on this machine."""

    def __init__(self, league: League, terms: SubmissionTerms) -> None:
        """Prepare to build and check under the terms of a league."""
        self._league = league
        self._terms = terms

    @property
    def platform(self) -> str:
        """The system, the machine, and the C library."""
        return platform_here()

    @property
    def limits(self) -> FolderLimits:
        """The limits of a bot's folder before and after its build: at most what the league allows any bot."""
        usual, folders = FolderLimits(), self._league.folders
        return FolderLimits(self._terms.size_mib, min(usual.files, folders.files), min(usual.depth, folders.depth))

    def check_confinement(self) -> None:
        """Try the sandbox in which bots are checked."""
        _check_confinement(self._to_play)

    def build(self, folder: Path, tell: Tell) -> dict[str, str]:
        """Build in the sandbox, with environment variables that say nothing about us."""
        with self._author_log(folder, tell) as told_to_author:
            bot = read_sources(folder, self.limits)
            if bot.build_command:
                _check_confinement(self._to_build)
                self._run_build(bot, told_to_author)
                check_unchanged(bot.manifest, read_sources(folder, self.limits).manifest)
            else:
                tell("there is nothing to build\n")
            return self._versions(read_bot(folder, self.limits))

    def check(self, folder: Path, tell: Tell) -> None:
        """Test the bot at one table after the other."""
        with self._author_log(folder, tell) as told_to_author:
            uvloop.run(self._check(read_bot(folder, self.limits), told_to_author))

    @contextmanager
    def _author_log(self, folder: Path, tell: Tell) -> Iterator[Tell]:
        """What the bot's author is told. Mistakes in the files of the bot, also those that a build made, are failures.

        Raises:
            BuildFailed: there are such mistakes.
        """
        filtered = PathFilter(tell, organizer_names(folder, map(Path, self._league.read)))
        try:
            yield filtered
        except FileProblems as problems:
            raise BuildFailed(filtered.named(without(folder, str(problems)))) from problems
        finally:
            filtered.flush()

    @property
    def _to_build(self) -> Confinement:
        """The confinement of builds. Landlock cannot confine them."""
        return confinement("none" if self._league.sandbox == "none" else "bubblewrap")

    @property
    def _to_play(self) -> Confinement:
        league = self._league
        return confinement(league.sandbox, league.limits, [Path(place) for place in league.read])

    def _run_build(self, bot: LocalBot, tell: Tell) -> None:
        limit_s = self._terms.build_s
        try:
            code = build(bot, self._to_build, limit_s, _Quoting(tell), _Bounds(self._terms))
        except FileNotFoundError as error:
            raise BuildFailed(
                f"{MANIFEST}: build[0]: {bot.build_command[0]} cannot be run: {error.strerror}"
            ) from error
        except LimitExceeded as reason:
            raise BuildFailed(f"the build was ended because it {reason}") from reason
        if code is None:
            raise BuildFailed(f"the build was ended after {limit_s} s")
        if code:
            kind = BotKilled if {code, 128 - code} & FORCED else BuildFailed
            raise kind(f"the build command failed with code {code}")

    def _versions(self, bot: LocalBot) -> dict[str, str]:
        """The versions of the programs that run the bot; after a build, also of all that may have built it."""
        if bot.build_command:
            found = runtimes(self._to_build)
        else:
            found = runtimes(self._to_play, ("python" if bot.command[0] == sys.executable else bot.command[0],))
        return {runtime.name: runtime.words for runtime in found if runtime.runs}

    async def _check(self, bot: LocalBot, tell: Tell) -> None:
        kills: list[int] = []
        try:
            async with asyncio.timeout(self._terms.check_s):
                failed = [each.name for each in self._league.tables if not await self._passes(bot, each, tell, kills)]
        except TimeoutError as error:
            raise BuildFailed(f"the check was ended after {self._terms.check_s} s") from error
        if failed:
            why = f"did not keep the rules at {', '.join(failed)}: see the points that begin with FAIL"
            raise (BotKilled if kills else BuildFailed)(why)

    async def _passes(self, bot: LocalBot, table: TableSpec, tell: Tell, kills: list[int]) -> bool:
        entry = game_entry(self._league.game)
        options = msgspec.convert(table.options, entry.game.options_type)
        found = await check(Setup(entry, options, bot, table.seats, self._league.clock, self._to_play, kills=kills))
        tell(f"table {table.name}:\n")
        for line in report_lines(found):
            tell(f"{line}\n")
        return all(finding.kept is not False for finding in found)


class _Bounds(msgspec.Struct, frozen=True):
    """The limits for the build of a stranger's bot."""

    terms: SubmissionTerms

    @property
    def environment(self) -> Mapping[str, str]:
        """The search path of programs, and nothing else: our own environment may contain secrets."""
        return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8"}

    def limit_exceeded(self, session: int, folder: Path) -> str | None:
        """A sentence if all processes together exceed their memory, or the folder its size; else None."""
        return too_much_memory(session, self.terms.build_memory_mib) or self._too_much_written(folder)

    def _too_much_written(self, folder: Path) -> str | None:
        found = written(folder, _MOST_WRITTEN)
        if found is None:
            return "made folders that cannot be looked into"
        files, size = found
        if files > _MOST_WRITTEN:
            return f"made more than {_MOST_WRITTEN:,} files and folders"
        if size > self.terms.build_disk_mib << 20:
            return f"filled its folder with {size >> 20:,} MiB; allowed: {self.terms.build_disk_mib:,}"
        return None


def _check_confinement(confined: Confinement) -> None:
    """Check that bots can be confined here.

    Raises:
        CannotConfine: they cannot.
    """
    if confined.limits is None:
        return
    hindrance = obstacle(confined.name)
    if hindrance is not None:
        raise CannotConfine(
            f"submitted bots need a box, and {confined.name} does not work here: {hindrance.what};"
            ' see `referee doctor`; if you trust every bot, add --sandbox none, or sandbox = "none" to the league file'
        )
    require_usable_limits(confined.name, confined.limits)


def check_unchanged(submitted: Manifest, built: Manifest) -> None:
    """Check that a build has left the manifest as it was submitted.

    What was submitted was held to the rules and has its name from it. The box shows the folder around what is run.

    Raises:
        BuildFailed: the build has changed it.
    """
    changed = [key for key in Manifest.__struct_fields__ if getattr(submitted, key) != getattr(built, key)]
    if changed:
        raise BuildFailed(f"{MANIFEST}: the build changed {', '.join(changed)}; a build may not change what you submit")


def without(folder: Path, text: str) -> str:
    """A text about a bot's folder without the path of the folder, which is gone when somebody reads the text."""
    built_already = text.replace(f"; build it first: referee build {folder}", " after the build")
    return built_already.replace(f"{folder}/", "").replace(f"{folder}: ", "").replace(str(folder), "the bot's folder")


class _Quoting:
    """Puts a mark before each line of a bot, so that none looks like a line of ours."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._line_is_open = False

    def __call__(self, text: str) -> None:
        for line in io.StringIO(text, newline="\n"):
            self._tell(line if self._line_is_open else f"    | {line}")
            self._line_is_open = not line.endswith("\n")


class WorkLog:
    """The output of a piece of work. It is passed on, and stored up to a limit."""

    def __init__(self, tell: Tell, most: int = 100_000) -> None:
        """The log keeps the first `most` characters, and the last ones of the rest."""
        self._tell = tell
        self._left = most
        self._head: list[str] = []
        self._tail = ""
        self._dropped = 0

    def __call__(self, text: str) -> None:
        """Pass a piece on, and keep the part that fits."""
        self._tell(text)
        head, rest = text[: self._left], text[self._left :]
        self._left -= len(head)
        if head:
            self._head.append(head)
        tail = self._tail + rest
        self._tail = tail[-LAST_SHOWN:]
        self._dropped += len(tail) - len(self._tail)

    @property
    def text(self) -> str:
        """The text that the log keeps."""
        return "".join(self._lines()).rstrip("\n")

    def _lines(self) -> Iterator[str]:
        yield from self._head
        if self._dropped:
            yield f"\n[{self._dropped:,} more characters are not kept; the last are:]\n"
        yield self._tail
