"""Bots of a git repository: the folder of a bot as one commit has it, built in a clean folder.

The repository may be a stranger's. Its settings can name programs: hooks, filters, helpers for credentials, a monitor
of files. With these settings git only finds the commit, and all that could run is switched off. It reads the files of
the commit in an empty repository of ours, which borrows nothing but the objects. It never uses a network.

What is built is kept by the digest of its sources. So no commit is built twice, and no repository can give another one
its files.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from threading import Timer
from typing import BinaryIO, cast

from referee.core.bot_limits import FolderLimits
from referee.core.errors import Exit, FileProblems, UserError, WrongUse
from referee.core.tree_listing import Listing, digest
from referee.files.bot_folder import read_tree
from referee.files.bot_toml import read_manifest
from referee.files.manifest import MANIFEST
from referee.runtime.process_sessions import temporary_folder
from tournaments.submissions.bot_folders import built, listed
from tournaments.submissions.build_environment import BuildEnvironment, BuildFailed, WorkLog
from tournaments.submissions.bundle import pack
from tournaments.submissions.pipeline import unknown_programs
from tournaments.submissions.unpack import unpack

UNCOMMITTED = "."
"""Stands for the files as they lie in the working folder now."""

_LONGEST_S = 300
"""How long git may read. A stranger's repository can let it wait for ever."""

_LONGEST_LINE = 4096
_SHA_1 = 40
"""Hex digits of an id of a commit; ids by SHA-256 have more."""

_OFF = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "safe.directory=*")
_NOTHING_ELSE = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "HOME": "/dev/null",
    "PATH": os.environ.get("PATH", os.defpath),
}


class NoSuchCommit(WrongUse):
    """The repository has no such commit, or the commit has no such folder."""


class CannotBuild(UserError):
    """The bot of a commit cannot be built; the text ends with the reason."""

    exit_code = Exit.DOES_NOT_HOLD


def bot_of_commit(
    repository: Path, reference: str, path: str, environment: BuildEnvironment, cache: Path
) -> tuple[Path, str]:
    """The bot in the folder `path` of a commit, built. `cache` is where built bots are kept; nobody else writes there.

    `reference` is what git takes for a commit, or `UNCOMMITTED`.

    Returns:
        The folder of the bot, and the id of the commit, in hex; `uncommitted` for files of the working folder.

    Raises:
        NoSuchCommit: the repository has no such commit, or the commit no such folder.
        FileProblems: the folder is no bot's, is too large, or has something that no submitted bot may have.
        CannotBuild, CannotConfine: the bot cannot be built, or builds cannot be confined here.
        OSError: the disk fails.
    """
    inside = PurePosixPath(path)
    if inside.is_absolute() or ".." in inside.parts or "\0" in path:
        raise NoSuchCommit(f"--path {path}: leads out of the repository; name a folder in it, such as bots/mine")
    cache.mkdir(parents=True, exist_ok=True)
    with temporary_folder(cache) as home:
        folder = home / "bot"
        if reference == UNCOMMITTED:
            commit, listing = "uncommitted", _copy_working_folder(repository, inside, folder, environment.limits)
        else:
            commit, listing = _unpack_commit(repository, reference, inside, folder, environment.limits)
        programs = list(unknown_programs(read_manifest(folder)))
        if programs:
            raise FileProblems(programs)
        place = cache / f"{digest(listing)}-{environment.platform}"
        if not place.is_dir():
            log = WorkLog(lambda _text: None)
            try:
                environment.build(folder, log)
            except BuildFailed as reason:
                raise CannotBuild(f"{log.text}\n{path} of {commit} cannot be built: {reason}".lstrip()) from reason
            built(folder, environment.limits)  # a build could make links that lead out
            with suppress(OSError):  # another process was faster
                folder.rename(place)
        return place, commit


def _unpack_commit(
    repository: Path, reference: str, path: PurePosixPath, folder: Path, limits: FolderLimits
) -> tuple[str, Listing]:
    """Write the files of a folder of a commit; the id of the commit, and the files."""
    if shutil.which("git") is None:
        raise NoSuchCommit("git is not installed; install it, or name the folders of two bots")
    if reference.startswith("-"):
        raise NoSuchCommit(f"{reference}: no commit has a name that begins with -")
    theirs = {"GIT_CEILING_DIRECTORIES": str(repository.resolve().parent)}
    here = ("-C", str(repository), "rev-parse", "--path-format=absolute")
    objects = _line(theirs, *here, "--git-path", "objects")
    if objects is None:
        raise NoSuchCommit(f"{repository}: is not the top folder of a git repository; name one with --git")
    commit = _line(theirs, *here, "--verify", "--quiet", "--end-of-options", f"{reference}^{{commit}}")
    if commit is None:
        raise NoSuchCommit(f"{repository} has no commit {reference}")
    ours = {"GIT_DIR": str(folder.with_name("empty")), "GIT_OBJECT_DIRECTORY": objects}
    kind = "sha1" if len(commit) == _SHA_1 else "sha256"
    _line({}, "init", "--quiet", "--bare", "--template=", f"--object-format={kind}", ours["GIT_DIR"])
    if _line(ours, "rev-parse", "--verify", "--quiet", f"{commit}:{path / MANIFEST}") is None:
        raise NoSuchCommit(f"commit {commit} has no {path / MANIFEST}; say with --path where the bot is")
    with _output(ours, "archive", "--format=tar.gz", f"{commit}:{path if path.parts else ''}") as archive:
        try:
            return commit, unpack(archive, folder, limits)
        except FileProblems as reason:
            raise FileProblems([f"{path} of {commit}: {reason}"]) from reason


def _line(environment: Mapping[str, str], *words: str) -> str | None:
    """The line that git prints; None if it fails."""
    with _output(environment, *words) as output:
        return os.fsdecode(output.read(_LONGEST_LINE)).removesuffix("\n") or None


@contextmanager
def _output(environment: Mapping[str, str], *words: str) -> Iterator[BinaryIO]:
    """The output of git, which is ended with the context, or when it takes too long."""
    process = subprocess.Popen(
        ["git", *_OFF, *words],  # noqa: S607 - the one in the search path
        env={**_NOTHING_ELSE, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    limit = Timer(_LONGEST_S, process.kill)
    with process:
        limit.start()
        try:
            yield cast("BinaryIO", process.stdout)
        finally:
            limit.cancel()
            process.kill()


def _copy_working_folder(repository: Path, path: PurePosixPath, folder: Path, limits: FolderLimits) -> Listing:
    """Copy the sources of the bot in a working folder, without what building it left there."""
    here = (repository / path).resolve()
    if not here.is_relative_to(repository.resolve()):
        raise NoSuchCommit(f"--path {path}: a link leads out of {repository}; name a folder in it")
    with tempfile.TemporaryFile() as archive:
        pack(here, listed(here, read_tree(here, read_manifest(here), limits).sources, limits), archive)
        archive.seek(0)
        return unpack(archive, folder, limits)
