"""The places of this machine that a bot in a box may read besides its own folder."""

import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

SYSTEM = Path("/usr")
ROOT_LINKS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
"""Folders of `/` that are links into `/usr` on most systems, and folders of their own on others."""

_ETC = Path("/etc")

_SETTINGS = (
    "R",  # without its settings, R writes to its output that it misses them
    "alternatives",  # Debian's choice between programs: java, cc and others are links through it
    "dotnet",  # says where .NET is installed
    "fpc*.cfg",  # Free Pascal: where its units are
    "gnucobol",  # COBOL: how numbers are stored
    "hosts",  # without it, nobody knows `localhost`
    "java-*",  # Debian keeps half of a Java runtime there
    "julia",  # its start file
    "ld.so.cache",
    "locale.alias",  # names of languages, for the locale in C
    "localtime",
    "mono/*.*",  # C#: the settings of its runtime; not its certificates
    "mono/config",  # which libraries of the system stand for those of Windows
    "nsswitch.conf",
    "ocamlfind.conf",  # OCaml: where its packages are
    "octaverc",  # Octave's start file is a link to it
    "os-release",  # .NET and Swift choose libraries by it
    "perl",  # the first place where Perl looks for modules
    "php/*/cli",  # which extensions PHP has
    "php/*/mods-available",  # `cli` has links to it
    "protocols",  # numbers of protocols by name, for sockets in Haskell
    "python3*",  # Python's start file is a link to it
    "racket",  # where its collections are
    "sbclrc",  # Common Lisp: its start file
    "services",  # as `protocols`
    "ssl/openssl.cnf",  # Node reads it when it starts
    "swi-prolog",  # its start file
)
"""By name, with what needs it. Nothing that people keep keys or passwords in belongs here."""

_NETWORK = (
    "ca-certificates",
    "pki/tls",  # the certificates of Fedora
    "resolv.conf",
    "ssl/certs",
)

_PROGRAM_FOLDERS = ("bin", "sbin")


def settings() -> list[Path]:
    """The files and folders of `/etc` that runtimes need. They are the same for every bot, and show no secrets."""
    return sorted(found for pattern in _SETTINGS for found in _ETC.glob(pattern) if found.exists())


def network() -> list[Path]:
    """The files and folders of `/etc` by which programs find and trust others on the network."""
    return [found for name in _NETWORK if (found := _ETC / name).exists()]


def runtime(command: Sequence[str], folder: Path) -> list[Path]:
    """The paths outside `/usr` that a command in `folder` needs: for example a Node below a home folder.

    Every step of the links that lead to it counts. A program in a `bin` gets the folder around that, unless
    this is a person's home folder: then it gets nothing but the program itself.
    """
    if sys.executable in command:
        return own_python()
    found = folder / command[0] if "/" in command[0] else shutil.which(command[0])
    if found is None or Path(found).is_relative_to(folder):
        return []
    return outermost(home for step in _steps(Path(found)) for home in [_home_of(step)] if not _is_system(home))


@cache
def own_python() -> list[Path]:
    """The paths that bots need to run with the Referee's own interpreter: it, its packages, `referee_bot`."""
    prefixes = [Path(prefix) for prefix in (sys.prefix, sys.base_prefix)]
    linked = [_home_of(step) for step in _steps(Path(sys.executable))]
    wanted = [*prefixes, *(prefix.resolve() for prefix in prefixes), *linked, *bot_library()]
    return outermost(place for place in wanted if not _is_system(place))


def bot_library() -> list[Path]:
    """The folder of `referee_bot`: the package of Python that bots use."""
    found = find_spec("referee_bot")
    return [] if found is None else [Path(place) for place in found.submodule_search_locations or ()]


def _steps(path: Path) -> Iterator[Path]:
    """The path, and every path on the way to the file that it is a link to."""
    for _ in range(40):  # as many links as the kernel follows
        yield path
        if not path.is_symlink():
            break
        path = path.parent / path.readlink()
    yield path.resolve()


def _home_of(program: Path) -> Path:
    around = program.parent.parent
    if program.parent.name not in _PROGRAM_FOLDERS or _is_personal(around):
        return program
    return around


def _is_personal(folder: Path) -> bool:
    """Whether a folder is someone's home, or the part of it where programs keep what they know of that person."""
    home = Path.home()
    return folder in (home, home / ".local", *home.parents)


def _is_system(place: Path) -> bool:
    return place.is_relative_to(SYSTEM) or place in (Path("/bin"), Path("/sbin"))


def outermost(places: Iterable[Path]) -> list[Path]:
    """The places without those that lie in another of them, in order."""
    found = sorted(set(places))
    return [place for place in found if not any(place != other and place.is_relative_to(other) for other in found)]
