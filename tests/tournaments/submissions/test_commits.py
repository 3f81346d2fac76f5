"""Bots out of git repositories, also of strangers: what is read, what is built, and what is never run."""

import shutil
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from referee.core.bot_limits import FolderLimits
from referee.core.errors import FileProblems
from tests.needed import needs_git
from tests.tournaments.repositories import Repository
from tournaments.submissions.build_environment import BuildFailed, Tell
from tournaments.submissions.commits import UNCOMMITTED, CannotBuild, NoSuchCommit, bot_of_commit

pytestmark = needs_git

MANIFEST = 'name = "mine"\nversion = "1"\nauthor = "a"\ngames = ["*"]\nrun = ["python3", "bot.py"]\n'


class CommitBot(NamedTuple):
    folder: Path
    commit: str


class Builder:
    """Notes what it builds, and leaves some output."""

    platform = "here"
    limits = FolderLimits(size_mib=1)

    def __init__(self) -> None:
        self.built: list[str] = []

    def check_confinement(self) -> None:
        pass

    def check(self, folder: Path, tell: Tell) -> None:
        raise AssertionError(folder, tell)

    def build(self, folder: Path, tell: Tell) -> dict[str, str]:
        self.built.append((folder / "bot.py").read_text())
        tell("compiling\n")
        if "broken" in self.built[-1]:
            raise BuildFailed("the build command failed with code 1")
        (folder / "build").mkdir()
        (folder / "build" / "made").write_text(self.built[-1])
        if "linking" in self.built[-1]:
            (folder / "build" / "out").symlink_to("/etc/passwd")
        return {}


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "repository", MANIFEST)
    made.commit("first")
    return made


@pytest.fixture
def take(tmp_path: Path, repository: Repository) -> Any:
    builder = Builder()

    def taken(reference: str, path: str = "bots/mine", folder: Path = repository.folder) -> CommitBot:
        return CommitBot(*bot_of_commit(folder, reference, path, builder, tmp_path / "cache"))

    taken.builder = builder  # type: ignore[attr-defined]
    return taken


def test_each_commit_gives_its_own_files_with_what_its_build_made(take: Any, repository: Repository) -> None:
    first = repository.git("rev-parse", "HEAD")
    second = repository.commit("second")
    repository.git("tag", "--annotate", "--message", "x", "v2")
    (repository.bot / "build").mkdir()
    (repository.bot / "build" / "made").write_text("stale")
    for reference, commit, text in ((first, first, "first"), ("v2", second, "second"), ("HEAD~1", first, "first")):
        bot = take(reference)
        assert bot.commit == commit
        assert [(bot.folder / name).read_text() for name in ("bot.py", "build/made")] == [text, text]


def test_nothing_is_built_twice_even_if_another_commit_has_the_same_bot(take: Any, repository: Repository) -> None:
    first = take("HEAD")
    (repository.folder / "README").write_text("more")
    repository.commit("first")
    again = take("HEAD")
    assert (again.folder, again.commit != first.commit) == (first.folder, True)
    assert take.builder.built == ["first"]


def test_what_is_not_committed_is_taken_without_what_earlier_builds_left(take: Any, repository: Repository) -> None:
    (repository.bot / "bot.py").write_text("today")
    (repository.bot / "build").mkdir()
    (repository.bot / "build" / "stale").write_text("stale")
    bot = take(UNCOMMITTED)
    assert (bot.commit, (bot.folder / "bot.py").read_text()) == ("uncommitted", "today")
    assert [each.name for each in (bot.folder / "build").iterdir()] == ["made"]


def test_a_bot_that_cannot_be_built_is_told_with_the_output_of_its_build(take: Any, repository: Repository) -> None:
    commit = repository.commit("broken")
    with pytest.raises(CannotBuild) as error:
        take("HEAD")
    assert str(error.value).splitlines() == [
        "compiling",
        f"bots/mine of {commit} cannot be built: the build command failed with code 1",
    ]
    assert error.value.exit_code == 1
    with pytest.raises(CannotBuild):
        take("HEAD")


@pytest.mark.parametrize(
    ("reference", "path", "sentence"),
    [
        ("--output=x", "bots/mine", "--output=x: no commit has a name that begins with -"),
        ("nowhere", "bots/mine", "has no commit nowhere"),
        ("HEAD:bots", "bots/mine", "has no commit HEAD:bots"),
        ("HEAD", "../other", "--path ../other: leads out of the repository"),
        ("HEAD", "/etc", "--path /etc: leads out of the repository"),
        ("HEAD", "bots/theirs", "has no bots/theirs/bot.toml; say with --path"),
        ("HEAD", ".", "has no bot.toml; say with --path where the bot is"),
        ("HEAD", "bots/mine/bot.py", "has no bots/mine/bot.py/bot.toml"),
        (UNCOMMITTED, "../other", "--path ../other: leads out of the repository"),
    ],
)
def test_a_wrong_commit_or_path_is_answered_with_one_sentence(
    take: Any, reference: str, path: str, sentence: str
) -> None:
    with pytest.raises(NoSuchCommit) as error:
        take(reference, path)
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


def test_a_folder_that_is_no_repository_is_refused_even_inside_one(take: Any, repository: Repository) -> None:
    for folder in (repository.folder / "nowhere", repository.bot):
        with pytest.raises(NoSuchCommit, match="is not the top folder of a git repository"):
            take("HEAD", folder=folder)


def test_a_link_in_the_working_folder_or_in_a_commit_leads_nowhere_else(take: Any, repository: Repository) -> None:
    outside = repository.folder.parent / "outside"
    shutil.copytree(repository.bot, outside)
    (repository.folder / "link").symlink_to(outside)
    repository.commit("second")
    with pytest.raises(NoSuchCommit, match="a link leads out"):
        take(UNCOMMITTED, "link")
    with pytest.raises(NoSuchCommit, match=r"has no link/bot\.toml"):
        take("HEAD", "link")
    (repository.bot / "secrets").symlink_to("/etc/passwd")
    repository.commit("third")
    with pytest.raises(FileProblems, match="leads out"):
        take("HEAD")


def test_a_link_that_a_build_makes_leads_nowhere_else(take: Any, repository: Repository) -> None:
    (repository.bot / "bot.toml").write_text(MANIFEST + 'output = ["build"]\nlinks = ["build/out"]\n')
    repository.commit("linking")
    with pytest.raises(FileProblems, match="leads out"):
        take("HEAD")
    assert not [*(repository.folder.parent / "cache").iterdir()]


def test_a_bot_larger_than_the_limit_and_a_program_outside_of_its_folder_are_refused(
    take: Any, repository: Repository
) -> None:
    (repository.bot / "large").write_bytes(bytes(2 << 20))
    repository.commit("second")
    with pytest.raises(FileProblems, match="more than 1 MiB"):
        take("HEAD")
    (repository.bot / "large").unlink()
    (repository.bot / "bot.toml").write_text(MANIFEST.replace('"python3"', '"/home/organizer/program"'))
    repository.commit("third")
    with pytest.raises(FileProblems, match="is not in the bot's folder"):
        take("HEAD")


def test_nothing_that_the_settings_of_a_repository_name_is_ever_run(take: Any, repository: Repository) -> None:
    """Each of these runs when git is asked without care; that they would is shown first."""
    trace = repository.folder.parent / "trace"
    spy = repository.folder.parent / "spy"
    spy.write_text(f"#!/bin/sh\necho $0 $* >> {trace}\ncat\n")
    spy.chmod(0o755)
    (repository.bot / ".gitattributes").write_text("*.py filter=spy\n")
    hooks = repository.folder / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for hook in ("post-checkout", "reference-transaction", "post-index-change"):
        shutil.copy(spy, hooks / hook)
    commit = repository.commit("second")
    settings = {"filter.spy.smudge": spy, "filter.spy.clean": spy, "core.fsmonitor": spy, "core.sshCommand": spy}
    settings |= {"tar.tar.gz.command": spy, "core.pager": spy, "credential.helper": spy, "core.askPass": spy}
    for name, value in settings.items():
        repository.git("config", name, str(value))
    trace.unlink(missing_ok=True)
    subprocess.run(["git", "archive", "HEAD"], cwd=repository.folder, check=True, capture_output=True)
    assert trace.exists()
    trace.unlink()
    assert take("HEAD").commit == commit
    assert not trace.exists()


def test_objects_that_a_repository_lacks_are_fetched_from_nowhere(take: Any, repository: Repository) -> None:
    trace = repository.folder.parent / "trace"
    blob = repository.git("rev-parse", "HEAD:bots/mine/bot.py")
    (repository.folder / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    for name, value in {
        "core.repositoryformatversion": "1",
        "extensions.partialClone": "away",
        "remote.away.promisor": "true",
        "remote.away.url": f"ext::touch {trace}",
        "protocol.ext.allow": "always",
    }.items():
        repository.git("config", name, value)
    subprocess.run(["git", "archive", "HEAD"], cwd=repository.folder, check=False, capture_output=True)
    assert trace.exists()
    trace.unlink()
    with pytest.raises(FileProblems):
        take("HEAD")
    assert not trace.exists()
