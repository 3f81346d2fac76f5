"""What one process of a bot may leave for another to find: the channel by which a bot would learn what a deal holds.

Each attack looks for the word of another process of the same bot, in another match or at another seat, and succeeds if
it finds it. If not, it leaves its own.
"""

import contextlib
import ctypes
import fcntl
import mmap
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from .bot import FIRST, WON, Given, Moment, at
from .calls import allowed, call

_CREATE, _EXCLUSIVE, _OPEN_TO_ME = 0o1000, 0o2000, 0o600
_SOURCE = Path(__file__)


def _left_at(place: Path, given: Given) -> bool:
    """Whether another process has left its word in a folder. If not, leave it."""
    word = place / f"{given.mark}-word"
    if word.exists():
        return True
    with contextlib.suppress(OSError):
        word.write_text("deal 0: the Mole is third")
    return False


def _key(given: Given) -> int:
    """A number that all processes of the bot agree on."""
    return zlib.crc32(given.mark.encode()) & 0x7FFFFFFF


def _sockets(given: Given) -> Path:
    return Path(given.address.removeprefix("unix:")).parent


# In files


@at(FIRST)
def in_its_folder(moment: Moment) -> bool:
    """Leaves a file in its own folder."""
    return _left_at(Path.cwd(), moment.given)


@at(FIRST)
def beside_its_source(moment: Moment) -> bool:
    """Leaves a file in the folder of its source."""
    return _left_at(_SOURCE.parent, moment.given)


@at(FIRST)
def in_its_source(_moment: Moment) -> bool:
    """Writes to its own source."""
    if _SOURCE.read_text().endswith("# third\n"):
        return True
    with contextlib.suppress(OSError), _SOURCE.open("a") as source:
        source.write("# third\n")
    return False


@at(FIRST)
def in_what_python_compiles(moment: Moment) -> bool:
    """Leaves a file in __pycache__, which is no source."""
    cache = _SOURCE.parent / "__pycache__"
    with contextlib.suppress(OSError):
        cache.mkdir(exist_ok=True)
    return _left_at(cache, moment.given)


@at(FIRST)
def in_git(moment: Moment) -> bool:
    """Leaves a file in .git, which is no source."""
    git = Path.cwd() / ".git"
    with contextlib.suppress(OSError):
        git.mkdir(exist_ok=True)
    return _left_at(git, moment.given)


@at(FIRST)
def at_home(moment: Moment) -> bool:
    """Leaves a file at home."""
    return any(_left_at(Path(place), moment.given) for place in (os.environ.get("HOME", "/root"), "/root", "/home"))


@at(FIRST)
def in_tmp(moment: Moment) -> bool:
    """Leaves a file in /tmp."""
    return _left_at(Path("/tmp"), moment.given)


@at(FIRST)
def in_var_tmp(moment: Moment) -> bool:
    """Leaves a file in /var/tmp."""
    return _left_at(Path("/var/tmp"), moment.given)


@at(FIRST)
def in_shared_memory(moment: Moment) -> bool:
    """Leaves a file in /dev/shm, as shm_open does."""
    return _left_at(Path("/dev/shm"), moment.given)


@at(FIRST)
def beside_its_socket(moment: Moment) -> bool:
    """Leaves a file in the folder of its socket."""
    return _left_at(_sockets(moment.given), moment.given)


@at(FIRST)
def above_its_socket(moment: Moment) -> bool:
    """Leaves a file in the folder that has the folders of all sockets."""
    return _left_at(_sockets(moment.given).parent, moment.given)


@at(FIRST)
def beside_the_store(moment: Moment) -> bool:
    """Leaves a file in the league's folder."""
    return _left_at(Path(moment.given.league), moment.given)


@at(FIRST)
def beside_its_opponent(moment: Moment) -> bool:
    """Leaves a file in the folder of another bot."""
    return _left_at(Path(moment.given.opponent), moment.given)


@at(FIRST)
def anywhere(moment: Moment) -> bool:
    """Leaves a file in the first folder of the whole machine that takes one."""
    shared = [
        Path(place) for place in ("/", "/run", "/run/lock", "/var", "/var/lib", "/usr/local", "/opt", "/srv", "/mnt")
    ]
    return any(_left_at(place, moment.given) for place in (*shared, Path(sys.prefix), Path(sys.base_prefix)))


@at(FIRST)
def in_a_time(_moment: Moment) -> bool:
    """Sets the time of its own bot.toml, whose content stays as it is."""
    manifest = Path("bot.toml")
    if manifest.stat().st_mtime == 14:
        return True
    with contextlib.suppress(OSError):
        os.utime(manifest, (14, 14))
    return False


@at(FIRST)
def in_the_time_of_a_look(_moment: Moment) -> bool:
    """Reads one of two files that nobody else reads after the start: the kernel notes when a file was read last.

    Both files were changed in the future, so every look at them counts as the first since.
    """
    read, unread = _SOURCE.with_name("look.txt"), _SOURCE.with_name("unread.txt")
    if read.stat().st_atime > unread.stat().st_atime + 0.2:
        return True
    time.sleep(0.4)
    read.read_bytes()
    return False


@at(FIRST)
def in_the_time_of_a_device(_moment: Moment) -> bool:
    """Touches a device of the machine that nobody else touches: everybody may set its times to now."""
    device, began = Path("/dev/full"), (Path.cwd() / "given.json").stat().st_mtime
    seen = device.stat()
    if max(seen.st_mtime, seen.st_atime, seen.st_ctime) > began:
        return True
    with device.open("r+b", buffering=0) as file:
        file.read(1)
        for touch in (lambda: file.write(b"x"), lambda: os.utime(file.fileno())):
            with contextlib.suppress(OSError):
                touch()
    with contextlib.suppress(OSError):
        os.utime(device)
    return False


@at(FIRST)
def in_a_mode(_moment: Moment) -> bool:
    """Changes the rights of its own bot.toml."""
    manifest = Path("bot.toml")
    if manifest.stat().st_mode & 0o111:
        return True
    with contextlib.suppress(OSError):
        manifest.chmod(0o755)
    return False


@at(FIRST)
def in_an_attribute(_moment: Moment) -> bool:
    """Puts an attribute on its own bot.toml, which no reader of files sees."""
    if "user.word" in os.listxattr("bot.toml"):
        return True
    with contextlib.suppress(OSError):
        os.setxattr("bot.toml", "user.word", b"third")
    return False


@at(FIRST)
def in_a_link(moment: Moment) -> bool:
    """Links its own bot.toml into /tmp and /dev/shm: the file then has more names than before."""
    manifest = Path("bot.toml")
    if manifest.stat().st_nlink > 1:
        return True
    for place in (Path.cwd(), Path("/tmp"), Path("/dev/shm")):
        with contextlib.suppress(OSError):
            (place / f"{moment.given.mark}-link").hardlink_to(manifest)
    return False


# In the kernel


@at(FIRST)
def in_a_segment(moment: Moment) -> bool:
    """Leaves a segment of shared memory of System V."""
    if allowed("shmget", _key(moment.given), 0, 0):
        return True
    allowed("shmget", _key(moment.given), 4096, _CREATE | _EXCLUSIVE | _OPEN_TO_ME)
    return False


@at(FIRST)
def in_a_semaphore(moment: Moment) -> bool:
    """Leaves a semaphore of System V."""
    if allowed("semget", _key(moment.given), 0, 0):
        return True
    allowed("semget", _key(moment.given), 1, _CREATE | _EXCLUSIVE | _OPEN_TO_ME)
    return False


@at(FIRST)
def in_a_queue(moment: Moment) -> bool:
    """Leaves a message queue of System V."""
    if allowed("msgget", _key(moment.given), 0):
        return True
    allowed("msgget", _key(moment.given), _CREATE | _EXCLUSIVE | _OPEN_TO_ME)
    return False


@at(FIRST)
def in_a_posix_queue(moment: Moment) -> bool:
    """Leaves a message queue of POSIX."""
    name = moment.given.mark.encode()
    if allowed("mq_open", name, os.O_RDONLY, 0, None):
        return True
    allowed("mq_open", name, os.O_RDWR | os.O_CREAT, _OPEN_TO_ME, None)
    return False


@at(FIRST)
def in_a_keyring(moment: Moment) -> bool:
    """Leaves a key in the keyring of its user."""
    of_the_user, search = -4, 10
    name = moment.given.mark.encode()
    if allowed("keyctl", search, of_the_user, b"user", name, 0):
        return True
    allowed("add_key", b"user", name, b"third", 5, of_the_user)
    return False


@at(FIRST)
def in_the_name_of_the_machine(moment: Moment) -> bool:
    """Names the machine. Only root may, and only in the box is it tried."""
    if os.uname().nodename == moment.given.mark:
        return True
    allowed("sethostname", moment.given.mark.encode(), len(moment.given.mark))
    return False


@at(FIRST)
def in_a_setting_of_the_kernel(_moment: Moment) -> bool:
    """Writes settings of the kernel, each with the value that it has."""
    settings = ("kernel/domainname", "kernel/core_pattern", "kernel/hostname", "vm/swappiness", "net/ipv4/ip_forward")
    return any(_writes_back(Path("/proc/sys") / setting) for setting in settings)


@at(FIRST)
def in_sys(_moment: Moment) -> bool:
    """Writes what the kernel shows of itself in /sys, each with the value that it has."""
    found = Path("/sys/module").glob("*/parameters/*")
    return any(_writes_back(parameter) for parameter, _ in zip(found, range(200), strict=False))


def _writes_back(file: Path) -> bool:
    try:
        with file.open("r+b", buffering=0) as opened:
            value = opened.read()
            opened.seek(0)
            opened.write(value)
    except OSError:
        return False
    return True


@at(FIRST)
def in_the_list_of_users(moment: Moment) -> bool:
    """Leaves a line in the list of users who are logged in."""
    return any(_left_at(Path(place), moment.given) for place in ("/run/utmp", "/var/log", "/run/user", "/var/run"))


# In what is alive at the same time: at two seats of a match, or in two matches


@at(FIRST)
def in_a_name_of_a_socket(moment: Moment) -> bool:
    """Leaves a child that listens on an abstract socket."""
    name = f"\0{moment.given.mark}"
    with socket.socket(socket.AF_UNIX) as trying:
        if trying.connect_ex(name) == 0:
            return True
    _HELD.append(holder := socket.socket(socket.AF_UNIX))
    holder.bind(name)
    holder.listen()
    return False


@at(FIRST)
def in_a_port(moment: Moment) -> bool:
    """Holds a port of the machine."""
    holder = socket.socket()
    _HELD.append(holder)
    try:
        holder.bind(("127.0.0.1", 20_000 + _key(moment.given) % 10_000))
    except OSError:
        return True
    return False


@at(FIRST)
def in_a_datagram(moment: Moment) -> bool:
    """Calls itself by broadcast and multicast of the network."""
    port = 20_000 + _key(moment.given) % 10_000
    listening = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    _HELD.append(listening)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    listening.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 1)
    try:
        listening.bind(("", port))
        group = struct.pack("4s4s", socket.inet_aton("239.14.14.14"), socket.inet_aton("127.0.0.1"))
        listening.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group)
        listening.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
        listening.sendto(str(os.getpid()).encode(), ("239.14.14.14", port))
    except OSError:
        return False

    def listen() -> None:
        while True:
            if listening.recv(99) != str(os.getpid()).encode():
                os._exit(WON)

    threading.Thread(target=listen, daemon=True).start()
    return False


@at(FIRST)
def in_a_lock(_moment: Moment) -> bool:
    """Locks a file that both seats can read."""
    return _is_locked(lambda file: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB))


@at(FIRST)
def in_a_lock_of_a_few_bytes(_moment: Moment) -> bool:
    """Locks bytes of a file that both seats can read, for reading, and asks who would be in the way of a writer."""
    file = _SOURCE.open("rb")
    _HELD.append(file)
    lock = struct.pack("hhqqi", fcntl.F_WRLCK, 0, 1, 1, 0)
    try:
        found = struct.unpack("hhqqi", fcntl.fcntl(file, fcntl.F_GETLK, lock))
        fcntl.fcntl(file, fcntl.F_SETLK, struct.pack("hhqqi", fcntl.F_RDLCK, 0, 1, 1, 0))
    except OSError:
        return False
    return bool(found[0] != fcntl.F_UNLCK)


@at(FIRST)
def in_a_lease(_moment: Moment) -> bool:
    """Takes a lease on a file that both seats can read: the kernel tells when another opens it, by SIGIO."""
    signal.signal(signal.SIGIO, lambda *_: os._exit(WON))
    return _is_locked(lambda file: fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK))


@at(FIRST)
def in_a_look_at_a_file(_moment: Moment) -> bool:
    """Watches a file of its own that nobody else opens, and opens it (inotify)."""
    unread = _SOURCE.with_name("look.txt")
    try:
        watching = call("inotify_init1", 0)
        call("inotify_add_watch", watching, str(unread).encode(), 0x20)  # IN_OPEN
    except OSError:
        unread.read_bytes()
        return False
    unread.read_bytes()
    os.read(watching, 4096)

    def watch() -> None:
        os.read(watching, 4096)
        os._exit(WON)

    threading.Thread(target=watch, daemon=True).start()
    return False


@at(FIRST)
def in_a_page_of_a_file(_moment: Moment) -> bool:
    """Waits at an address in a file that both seats can read, and wakes all that wait there (futex)."""
    wait, wake = 0, 1
    page = mmap.mmap(os.open(_SOURCE, os.O_RDONLY), 4096, mmap.MAP_SHARED, mmap.PROT_READ)
    libc = ctypes.CDLL(None)
    libc.mmap.restype = ctypes.c_void_p
    address = libc.mmap(None, 4096, mmap.PROT_READ, mmap.MAP_SHARED, os.open(_SOURCE, os.O_RDONLY), 0)
    value = struct.unpack("i", page[:4])[0]
    with contextlib.suppress(OSError):
        if call("futex", address, wake, 1 << 20, None, None, 0) > 0:
            return True
    threading.Thread(target=allowed, args=("futex", address, wait, value, None, None, 0), daemon=True).start()
    return False


@at(FIRST)
def in_a_name_of_a_process(moment: Moment) -> bool:
    """Calls its process by a word, and looks for other processes of that name."""
    word = moment.given.mark[-8:]
    for process in Path("/proc").glob("[0-9]*/comm"):
        with contextlib.suppress(OSError):
            if process.read_text().strip() == word and process.parent.name != str(os.getpid()):
                return True
    Path("/proc/self/comm").write_text(word)
    return False


@at(FIRST)
def in_a_child_that_stays(moment: Moment) -> bool:
    """Leaves a child in a session of its own that answers on an abstract socket when its bot is gone."""
    name = f"\0{moment.given.mark}"
    with socket.socket(socket.AF_UNIX) as trying:
        if trying.connect_ex(name) == 0:
            return True
    stay = f"import socket, time; s = socket.socket(socket.AF_UNIX); s.bind({name!r}); s.listen(); time.sleep(3600)"
    with contextlib.suppress(OSError):
        subprocess.Popen([sys.executable, "-c", stay], start_new_session=True, stdout=subprocess.DEVNULL)
    return False


@at(FIRST)
def in_the_memory_of_another(_moment: Moment) -> bool:
    """Looks for another process of its bot whose memory it can open."""
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            command = (process / "cmdline").read_bytes().split(b"\0")
            # The first process of a box is bwrap, which has the whole command among its arguments.
            ours = b"memories.in_the_memory_of_another" in command and not command[0].endswith(b"bwrap")
            if ours and process.name != str(os.getpid()):
                (process / "mem").open("rb").close()
                return True
    return False


_HELD: list[object] = []
"""What must stay open until the process ends."""


def _is_locked(lock: Callable[[BinaryIO], object]) -> bool:
    file = _SOURCE.open("rb")
    _HELD.append(file)
    try:
        lock(file)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False
