"""The cache of unpacked trees: its content is the store's, also beside other users and after kills."""

import os
import signal
import stat
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.tournaments.stores import in_sql, opened
from tests.tournaments.trees import keep
from tournaments.store import Store, StoredTree
from tournaments.submissions import tree_cache as module
from tournaments.submissions.tree_cache import CacheError, TreeCache

FILES = {"bot.toml": b"name", "run": b"exec", "src/deep/x.py": b"print()", "src/y.py": b"pass"}
OTHER = {"bot.toml": b"other", "run": b"x" * 1000}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(f"sqlite:///{tmp_path / 'league.sqlite'}") as store:
        yield store


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def content(place: Path) -> dict[str, bytes]:
    return {path.relative_to(place).as_posix(): path.read_bytes() for path in place.rglob("*") if path.is_file()}


def made(folder: Path, store: Store, key: str) -> Path:
    """A tree that nobody uses any more."""
    with TreeCache(folder, store.trees) as cache:
        return cache.tree(key)


def test_a_tree_is_what_the_store_keeps_and_nobody_writes_in_it(folder: Path, store: Store) -> None:
    with TreeCache(folder, store.trees) as cache:
        place = cache.tree(keep(store, FILES))
        assert {name: data for name, data in content(place).items() if not name.startswith("link")} == FILES
        assert (place / "link").readlink() == Path("src")
        modes = {path.name: stat.S_IMODE(path.lstat().st_mode) for path in place.rglob("*") if not path.is_symlink()}
    assert modes == {"bot.toml": 0o444, "run": 0o555, "src": 0o555, "deep": 0o555, "x.py": 0o444, "y.py": 0o444}
    assert stat.S_IMODE(place.stat().st_mode) == 0o555


def test_nobody_else_may_list_the_trees(folder: Path, store: Store) -> None:
    made(folder, store, keep(store, FILES))
    # Where root confines bots, they are other users and must reach their own trees.
    assert stat.S_IMODE(folder.stat().st_mode) == (0o711 if os.geteuid() == 0 else 0o700)


def test_a_tree_that_is_there_is_used_again(folder: Path, store: Store) -> None:
    key = keep(store, FILES)
    before = made(folder, store, key).stat().st_ino
    assert made(folder, store, key).stat().st_ino == before


# Tampering


def overwrite(path: Path, content: bytes | None = None) -> None:
    """Write into a file that nobody may write, and leave its rights; without content it gets another of its size."""
    mode = path.stat().st_mode
    path.chmod(0o644)
    path.write_bytes(path.read_bytes().swapcase() if content is None else content)
    path.chmod(mode)


def replace_by_link(path: Path) -> None:
    path.symlink_to(path.rename(path.parents[1] / "moved"))


def nest(path: Path) -> None:
    here = os.open(path, os.O_RDONLY)
    for _ in range(1_050):
        os.mkdir("d", dir_fd=here)
        inner = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)


def move(place: Path) -> Path:
    return place.rename(place.with_name("moved"))


def link_anew(path: Path) -> None:
    path.unlink()
    path.symlink_to("src/")


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


TAMPERS: dict[str, Callable[[Path], object]] = {
    "other content of the same size": lambda place: overwrite(place / "bot.toml"),
    "more content": lambda place: overwrite(place / "run", b"exec more"),
    "a program no longer": lambda place: (place / "run").chmod(0o444),
    "a new program": lambda place: (place / "bot.toml").chmod(0o555),
    "a new file": lambda place: (place / "src" / "new").write_bytes(b""),
    "a new folder": lambda place: (place / "src" / "__pycache__").mkdir(),
    "a lost file": lambda place: (place / "src" / "y.py").unlink(),
    "another link": lambda place: link_anew(place / "link"),
    "a file as a link": lambda place: replace_by_link(place / "run"),
    "a folder as a link": lambda place: replace_by_link(place / "src"),
    "all of it as a link": lambda place: place.symlink_to(move(place)),
    "all of it as a file": lambda place: move(place).with_name(place.name).write_bytes(b""),
    "a pipe": lambda place: pipe(place / "run"),
    "folders without end": nest,
}


@pytest.mark.slow
@pytest.mark.parametrize("what", TAMPERS)
def test_a_tree_that_was_changed_is_made_anew(what: str, folder: Path, store: Store) -> None:
    key = keep(store, FILES)
    place = made(folder, store, key)
    for path in (place, *(path for path in place.rglob("*") if path.is_dir() and not path.is_symlink())):
        path.chmod(0o755)
    TAMPERS[what](place)
    with TreeCache(folder, store.trees) as cache:
        assert cache.tree(key) == place
        assert not place.is_symlink()
        assert {name: data for name, data in content(place).items() if not name.startswith("link")} == FILES
        assert {path.name for path in folder.iterdir()} - {"moved"} == {key, f"{key}.lock"}


def test_a_tree_that_was_changed_is_left_alone_while_others_use_it(
    folder: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_PATIENCE_S", 0.2)
    key = keep(store, FILES)
    with TreeCache(folder, store.trees) as mine:
        overwrite(mine.tree(key) / "bot.toml")
        with (
            TreeCache(folder, store.trees) as theirs,
            pytest.raises(CacheError, match="was changed, and other processes use"),
        ):
            theirs.tree(key)
    assert (made(folder, store, key) / "bot.toml").read_bytes() == b"name"


# Others at the same time, and processes that are killed


def test_many_who_ask_at_once_get_the_same_tree_which_is_made_once(
    folder: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = keep(store, FILES)
    times: list[Path] = []
    fill = TreeCache._fill

    def counted(cache: TreeCache, place: Path, tree: StoredTree) -> None:
        times.append(place)
        fill(cache, place, tree)

    monkeypatch.setattr(TreeCache, "_fill", counted)
    together = threading.Barrier(8)

    def ask(_: int) -> int:
        with Store(store.url, "autumn") as own, TreeCache(folder, own.trees) as cache:
            place = cache.tree(key)
            together.wait(60)  # all use it at once
            return place.stat().st_ino

    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(ask, range(8)))) == 1
    assert len(times) == 1


STEPS = ("open", "rename", "symlink_to", "chmod", "mkdir")


@pytest.mark.slow
def test_whoever_is_killed_leaves_nothing_wrong(tmp_path: Path, store: Store) -> None:
    key, other = keep(store, FILES), keep(store, OTHER)
    for steps in count(1):
        folder = tmp_path / f"killed-{steps}"
        made(folder, store, other)
        (folder / other / "bot.toml").chmod(0o644)
        killed = killed_after(steps, lambda: TreeCache(folder, store.trees, most_bytes=10).__enter__().tree(key))  # noqa: B023
        if (folder / key).exists():
            assert content(folder / key).items() >= FILES.items()
        for each in (key, other):
            made(folder, store, each)
        assert content(folder / key).items() >= FILES.items()
        assert {path.name for path in folder.iterdir()} == {key, other, f"{key}.lock", f"{other}.lock"}
        if not killed:
            break
    assert steps > 10


def killed_after(steps: int, work: Callable[[], object]) -> bool:
    """Work in a process that is killed before its n-th change of the disk; whether it came so far."""
    child = os.fork()
    if child == 0:
        numbers = count(1)

        def counted(function: Callable[..., Any]) -> Callable[..., Any]:
            def call(*how: Any, **more: Any) -> Any:
                if next(numbers) == steps:
                    os.kill(os.getpid(), signal.SIGKILL)
                return function(*how, **more)

            return call

        try:
            for name in STEPS:
                setattr(Path, name, counted(getattr(Path, name)))
            tempfile.mkdtemp = counted(tempfile.mkdtemp)
            os.ftruncate = counted(os.ftruncate)
            work()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


# Size


def test_those_that_were_used_least_recently_go_when_it_is_full_and_none_that_is_used(
    folder: Path, store: Store
) -> None:
    keys = [keep(store, {"bot.toml": b"%d" % number, "data": bytes(1000)}) for number in range(5)]

    def there() -> list[int]:
        return [number for number, key in enumerate(keys) if (folder / key).exists()]

    with TreeCache(folder, store.trees, most_bytes=3100) as cache:
        cache.tree(keys[0])
        for number in (1, 2):
            made(folder, store, keys[number])
        made(folder, store, keys[1])
        cache.tree(keys[3])
        assert there() == [0, 1, 3]  # 0 is the oldest, and used
        cache.tree(keys[4])
        assert there() == [0, 3, 4]
    with TreeCache(folder, store.trees, most_bytes=0) as cache:
        cache.tree(keys[1])
        assert there() == [1]


def test_what_is_no_tree_stays_however_full_the_cache_is(folder: Path, store: Store, tmp_path: Path) -> None:
    key = keep(store, FILES)
    precious = tmp_path / "precious"
    strange = [precious / "letter", folder / "notes" / "letter", folder / ".notes-old" / "letter"]
    for letter in strange:
        letter.parent.mkdir(parents=True)
        letter.write_text("hi")
    (folder / "notes.lock").write_text("1000000")
    (folder / "other.lock").write_text("no number")
    (folder / f".{key}-left").symlink_to(precious)
    with TreeCache(folder, store.trees, most_bytes=0) as cache:
        cache.tree(key)
        cache.tree(keep(store, OTHER))
    assert [letter.read_text() for letter in strange] == ["hi"] * 3


# What fails


def test_a_tree_that_the_store_does_not_have_is_said(folder: Path, store: Store) -> None:
    with (
        TreeCache(folder, store.trees) as cache,
        pytest.raises(CacheError, match="the store does not have the tree 00"),
    ):
        cache.tree("00")


def test_a_tree_that_is_damaged_in_the_store_is_not_given_out_and_leaves_nothing(folder: Path, store: Store) -> None:
    key = keep(store, FILES)
    in_sql(store.url, "UPDATE piece SET content = :junk", junk=b"junk")
    with (
        TreeCache(folder, store.trees) as cache,
        pytest.raises(CacheError, match=r"is damaged in the store: its piece"),
    ):
        cache.tree(key)
    assert [path.name for path in folder.iterdir()] == [f"{key}.lock"]


def test_a_disk_that_fails_is_our_failure_and_leaves_nothing(
    folder: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_file: int, _mode: int) -> None:
        raise OSError(28, "No space left on device")

    key = keep(store, FILES)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fchmod", fail)
        with (
            TreeCache(folder, store.trees) as cache,
            pytest.raises(CacheError, match="cannot be written: No space left"),
        ):
            cache.tree(key)
    assert [path.name for path in folder.iterdir()] == [f"{key}.lock"]
    assert content(made(folder, store, key)).items() >= FILES.items()
