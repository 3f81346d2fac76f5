"""What a rogue may read, change and leave in the files of others, and what it may do to the folder of its socket."""

import contextlib
import os
import shutil
import socket
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from .bot import BEFORE_IT_LISTENS, FIRST, PRIVATE, STARTED, Given, Moment, at, listener

_MANY_FILES = 20_000
_MEBIBYTE = 1 << 20
_NOTICED_S = 1.5
"""After this time a box has looked at what its bot takes."""


def _sockets(given: Given) -> Path:
    return Path(given.address.removeprefix("unix:")).parent


def _reads(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return bool(file.read(1))
    except OSError:
        return False


def _everywhere(given: Given, name: str) -> Iterator[Path]:
    """Where a file of the league may be reached: by its path, and by the folders and files of every process."""
    yield Path(given.league) / name
    for process in Path("/proc").glob("[0-9]*"):
        yield process / "cwd" / name
        yield from (Path(f"{process}/root{given.league}") / name,)
        with contextlib.suppress(OSError):
            for opened in (process / "fd").iterdir():
                with contextlib.suppress(OSError):
                    if opened.readlink().name == name:
                        yield opened


# Reading


@at(FIRST)
def reads_the_store(moment: Moment) -> bool:
    """Reads the league's store, by its path, and by the folder and the open files of every process it can see."""
    return any(_reads(path) for path in _everywhere(moment.given, "league.sqlite"))


@at(FIRST)
def reads_the_league_file(moment: Moment) -> bool:
    """Reads the league file, which may have the seed."""
    return any(_reads(path) for path in _everywhere(moment.given, "league.toml"))


@at(FIRST)
def asks_the_store(moment: Moment) -> bool:
    """Asks the store for the seed in SQL, without changing it."""
    try:
        with sqlite3.connect(f"file:{moment.given.league}/league.sqlite?mode=ro", uri=True) as store:
            return bool(store.execute("SELECT count(*) FROM sqlite_master").fetchone())
    except sqlite3.Error:
        return False


@at(FIRST)
def reads_the_lock(moment: Moment) -> bool:
    """Reads the lock of the run, which names the folder of all sockets."""
    return any(_reads(path) for path in _everywhere(moment.given, "league.sqlite.rogues.lock"))


@at(FIRST)
def reads_its_opponent(moment: Moment) -> bool:
    """Reads the source of another bot."""
    return _reads(Path(moment.given.opponent) / "bot.toml")


@at(FIRST)
def reads_what_others_were_told(_moment: Moment) -> bool:
    """Reads the environment of every process."""
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if PRIVATE.encode() in (process / "environ").read_bytes():
                return True
    return False


@at(FIRST)
def reads_the_secrets_of_its_user(_moment: Moment) -> bool:
    """Reads what the home of its user has, the shadow file, and the keys of the machine."""
    homes = [Path("/root"), *Path("/home").glob("*")]
    with contextlib.suppress(OSError):
        if any(entry for home in homes for entry in home.iterdir() if entry.name != ".pyenv"):
            return True
    return any(map(_reads, (Path("/etc/shadow"), Path("/etc/machine-id"), Path("/etc/ssh/ssh_host_rsa_key"))))


@at(FIRST)
def reads_devices(_moment: Moment) -> bool:
    """Opens disks, memory, consoles and the log of the kernel."""
    devices = ("kmsg", "mem", "vda", "sda", "loop0", "kvm", "fuse", "net/tun", "tty1", "console", "vsock", "port")
    return any(_opens(Path("/dev") / device) for device in devices)


def _opens(device: Path) -> bool:
    try:
        os.close(os.open(device, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY))
    except OSError:
        return False
    return True


@at(FIRST)
def makes_a_device(moment: Moment) -> bool:
    """Makes a node of the machine's memory wherever it can write, and opens it."""
    for place in (_sockets(moment.given), Path("/tmp"), Path.cwd(), Path("/dev/shm"), Path("/dev")):
        node = place / f"{moment.given.mark}-mem"
        with contextlib.suppress(OSError):
            os.mknod(node, 0o020600, os.makedev(1, 1))
            return _opens(node)
    return False


@at(FIRST)
def follows_the_roots_of_others(_moment: Moment) -> bool:
    """Looks at the machine through the root of every process it can see."""
    return any(_reads(process / "root/etc/shadow") for process in Path("/proc").glob("[0-9]*"))


@at(FIRST)
def climbs_out(_moment: Moment) -> bool:
    """Climbs out of its root by as many `..` as there may be, and by what it finds open."""
    up = Path("/".join([".."] * 40))
    opened = [path / ".." for path in Path("/proc/self/fd").iterdir()]
    return any(_reads(place / secret) for place in (up, *opened) for secret in ("etc/shadow", "root/.bashrc"))


@at(FIRST)
def lists_mounts(moment: Moment) -> bool:
    """Reads from its own list of mounts where the league and the home of its user are on the machine."""
    mounts = Path("/proc/self/mountinfo").read_text()
    return moment.given.league in mounts or moment.given.opponent in mounts


# Changing


@at(FIRST)
def edits_its_opponent(moment: Moment) -> bool:
    """Opens the source of another bot for writing. (It changes nothing, so that it can be tried without a box.)"""
    return os.access(Path(moment.given.opponent) / "rogues/bot.py", os.W_OK)


@at(FIRST)
def removes_its_opponent(moment: Moment) -> bool:
    """Renames the folder of another bot, and back."""
    opponent = Path(moment.given.opponent)
    with contextlib.suppress(OSError):
        opponent.rename(opponent.with_name(moment.given.mark)).rename(opponent)
        return True
    return False


@at(FIRST)
def edits_itself(_moment: Moment) -> bool:
    """Opens its own manifest for writing: the next process of it would be another bot."""
    return os.access("bot.toml", os.W_OK)


@at(FIRST)
def edits_python(_moment: Moment) -> bool:
    """Looks for a module that every bot in Python imports and that it may write to."""
    modules = (module for module in (os.__file__, socket.__file__, shutil.__file__))
    return any(os.access(module, os.W_OK) for module in modules)


@at(FIRST)
def edits_the_system(_moment: Moment) -> bool:
    """Looks for a file of the system that it may write to."""
    files = ("/etc/passwd", "/etc/hosts", "/usr/bin/env", "/bin/sh", "/etc/ld.so.cache", "/usr/lib", "/etc", "/")
    return any(os.access(file, os.W_OK) for file in files)


@at(FIRST)
def writes_to_the_store(moment: Moment) -> bool:
    """Takes the store's write lock, which would stop the league."""
    try:
        with sqlite3.connect(f"file:{moment.given.league}/league.sqlite?mode=rw", uri=True, timeout=0) as store:
            store.execute("BEGIN IMMEDIATE").execute("ROLLBACK")
    except sqlite3.OperationalError as refused:
        return "locked" in str(refused)
    return True


# The folder of its socket


@at(STARTED)
def nests_folders(moment: Moment) -> bool:
    """Makes 1,500 folders beside its socket, each inside the other."""
    with contextlib.suppress(OSError):
        os.chdir(_sockets(moment.given))
        for _ in range(1_500):
            Path("d").mkdir()
            os.chdir("d")
    os.chdir("/")
    return False


@at(STARTED)
def plants_a_session(moment: Moment) -> bool:
    """Writes a record of a session that names a process of somebody else, wherever a next run may look for one."""
    start_time = Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19]
    with contextlib.suppress(OSError):
        victim = Path(f"/proc/{moment.given.victim}/stat").read_text()
        start_time = victim.rpartition(")")[2].split()[19]
    for place in (_sockets(moment.given), _sockets(moment.given).parent):
        with contextlib.suppress(OSError):
            (place / "planted").mkdir()
            (place / "planted/session").write_text(f"{moment.given.victim} {start_time}")
            (place / "session").write_text(f"{moment.given.victim} {start_time}")
    return False


@at(STARTED)
def takes_away_the_right_to_remove(moment: Moment) -> bool:
    """Makes folders beside its socket that nobody may enter, and takes away the right to write there."""
    with contextlib.suppress(OSError):
        (_sockets(moment.given) / "closed/inner").mkdir(parents=True)
        (_sockets(moment.given) / "closed").chmod(0)
        _sockets(moment.given).chmod(0o500)
    return False


@at(STARTED)
def links_its_folder_to_others(moment: Moment) -> bool:
    """Puts links beside its socket that lead to the league's folder: what removes them must not follow."""
    with contextlib.suppress(OSError):
        (_sockets(moment.given) / "league").symlink_to(moment.given.league)
        (_sockets(moment.given) / "opponent").symlink_to(moment.given.opponent)
    return False


@at(STARTED)
def moves_its_socket_away(moment: Moment) -> bool:
    """Renames its socket and puts a link to the league's folder in its place."""
    path = Path(moment.given.address.removeprefix("unix:"))
    with contextlib.suppress(OSError):
        path.rename(path.with_name("moved"))
        path.symlink_to(moment.given.league)
    return False


@at(STARTED)
def moves_its_folder_away(moment: Moment) -> bool:
    """Renames the folder of its socket."""
    folder = _sockets(moment.given)
    with contextlib.suppress(OSError):
        folder.rename(folder.with_name("moved"))
    return False


@at(BEFORE_IT_LISTENS)
def listens_behind_a_link(moment: Moment) -> bool:
    """Puts a link where its socket should be, and listens behind it."""
    path = Path(moment.given.address.removeprefix("unix:"))
    path.symlink_to(path.with_name("other"))
    with socket.socket(socket.AF_UNIX) as elsewhere, contextlib.suppress(OSError):
        elsewhere.bind(str(path.with_name("other")))
        elsewhere.listen()
    path.unlink()
    path.with_name("other").unlink()
    return False


@at(BEFORE_IT_LISTENS)
def is_a_pipe(moment: Moment) -> None:
    """Puts a pipe where its socket should be."""
    os.mkfifo(moment.given.address.removeprefix("unix:"))
    os.read(os.open(moment.given.address.removeprefix("unix:"), os.O_RDONLY), 1)


@at(BEFORE_IT_LISTENS)
def is_the_socket_of_another(moment: Moment) -> None:
    """Puts a link to another bot's socket in the place of its own, so that the referee would play with that one."""
    path = Path(moment.given.address.removeprefix("unix:"))
    while True:
        for other in path.parent.parent.glob("*/bot.sock"):
            if other != path and not path.is_symlink():
                path.symlink_to(other)


@at(BEFORE_IT_LISTENS)
def gives_its_socket_to_nobody(moment: Moment) -> bool:
    """Takes all rights off its socket, while the referee is about to call."""
    waiting = listener(moment.given.address)
    path = Path(moment.given.address.removeprefix("unix:"))
    path.chmod(0)
    waiting.close()
    path.unlink()
    return False


# Room


@at(FIRST)
def fills_its_scratch(moment: Moment) -> bool:
    """Writes 200 MiB to each place that it can write to. It succeeds if one takes them."""
    return any(_takes(place, 200) for place in _writable(moment.given))


def _writable(given: Given) -> list[Path]:
    return [_sockets(given), Path("/tmp"), Path("/dev/shm"), Path.cwd(), Path("/var/tmp")]


def _takes(place: Path, mebibytes: int) -> bool:
    """Whether files of 50 MiB each fit there. They are removed again."""
    files = [place / f"fill-{number}" for number in range(mebibytes // 50)]
    try:
        for file in files:
            with file.open("wb", buffering=0) as opened:
                for _ in range(50):
                    if opened.write(bytes(_MEBIBYTE)) < _MEBIBYTE:
                        return False
    except OSError:
        return False
    finally:
        for file in files:
            with contextlib.suppress(OSError):
                file.unlink(missing_ok=True)
    return True


@at(FIRST)
def writes_one_large_file(moment: Moment) -> bool:
    """Writes a file of 65 MiB."""
    return any(_writes(place / "large", 65) for place in _writable(moment.given))


def _writes(file: Path, mebibytes: int) -> bool:
    try:
        with file.open("wb", buffering=0) as opened:
            return all(opened.write(bytes(_MEBIBYTE)) == _MEBIBYTE for _ in range(mebibytes))
    except OSError:
        return False
    finally:
        with contextlib.suppress(OSError):
            file.unlink(missing_ok=True)


@at(FIRST)
def makes_a_file_of_a_tebibyte(moment: Moment) -> bool:
    """Makes a file of 1 TiB with nothing in it."""
    for place in _writable(moment.given):
        with contextlib.suppress(OSError), (place / "sparse").open("wb") as file:
            file.truncate(1 << 40)
            return True
    return False


@at(FIRST)
def makes_many_files(moment: Moment) -> bool:
    """Makes 20,000 files beside its socket, and leaves them."""
    with contextlib.suppress(OSError):
        for number in range(_MANY_FILES):
            (_sockets(moment.given) / f"file-{number}").touch()
    time.sleep(_NOTICED_S)
    return False


@at(FIRST)
def makes_a_million_files(moment: Moment) -> bool:
    """Makes files in its scratch folder until no more fit. It succeeds if 200,000 do."""
    folder = Path("/tmp") / moment.given.mark
    try:
        folder.mkdir()
        for number in range(200_000):
            os.mknod(folder / str(number))
    except OSError:
        return False
    return True
