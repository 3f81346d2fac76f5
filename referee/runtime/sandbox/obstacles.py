"""The obstacles to a box on a machine, and their remedies, as functions of the facts about the machine."""

import msgspec

OLDEST_BWRAP = (0, 8)
"""Of January 2023: the first that can forbid namespaces of users in a box."""

_OLDEST_KERNEL = (5, 3)
"""The first that can hold on to a process whatever happens to its number (pidfd_open(2))."""

_COUNTS_BY_NAMESPACE = (5, 14)
"""The first that counts processes in a namespace of users by itself (user_namespaces(7))."""

_OLDEST_WITH_LANDLOCK = (5, 13)

_PACKAGES = {
    "bwrap": "bubblewrap (apt install bubblewrap, dnf install bubblewrap, or pacman -S bubblewrap)",
    "setpriv": "util-linux 2.33 or newer (apt install util-linux; in Alpine: apk add setpriv)",
    "prlimit": "util-linux (apt install util-linux)",
}
"""By program, the package that has it."""

_APPARMOR = """\
let bwrap do it, and no other program: write these lines to /etc/apparmor.d/bwrap
    abi <abi/4.0>,
    include <tunables/global>
    profile bwrap {bwrap} flags=(unconfined) {{
      userns,
    }}
and load them: sudo apparmor_parser -r /etc/apparmor.d/bwrap
Then every user may make namespaces by way of bwrap, as on systems without this restriction.
Or run the referee as root: then it needs no namespaces of users"""

_DOCKER = """\
start the container with
    --user 1000 --security-opt seccomp=unconfined --security-opt apparmor=unconfined
    --security-opt systempaths=unconfined
It gets no rights by this. But bugs of the kernel are easier to reach, since Docker filters less of what it does.
To run the referee as root there, leave out --user and add
    --cap-add SYS_ADMIN --cap-add NET_ADMIN
With these, root in the container can become root of the machine, as with --privileged."""


class Obstacle(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why no box can be made.

    Attributes:
        what: in words that go after a colon.
        remedy: what to do, in words that go after a colon. It can have several lines.
        is_shortage: whether the machine lacks something now, such as open files or inodes, and could make a box later.
    """

    what: str
    remedy: str
    is_shortage: bool = False


_NO_PROC = Obstacle("there is no /proc", "mount it: mount -t proc proc /proc")


class MachineFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The facts on which boxes depend.

    Attributes:
        is_root: whether the referee runs as root.
        kernel: the first two numbers of its version.
        missing: the programs that are not installed.
        bwrap: where bwrap is; empty if it is not.
        bwrap_version: the numbers of its version; empty if it says none.
        has_proc: whether there is a /proc at all.
        lists_children: whether /proc says which children a process has.
        user_namespaces: how many namespaces of users there may be; None if there is no such limit.
        forbids_users: whether Debian's older switch keeps ordinary users from namespaces.
        apparmor_restricts: whether AppArmor keeps ordinary users from namespaces.
        is_contained: whether the referee runs in a container.
        is_filtered: whether the referee itself runs behind a filter for system calls.
    """

    is_root: bool
    kernel: tuple[int, ...]
    missing: tuple[str, ...] = ()
    bwrap: str = ""
    bwrap_version: tuple[int, ...] = ()
    has_proc: bool = True
    lists_children: bool = True
    user_namespaces: int | None = None
    forbids_users: bool = False
    apparmor_restricts: bool = False
    is_contained: bool = False
    is_filtered: bool = False


def foreseen(machine: MachineFacts) -> Obstacle | None:
    """The obstacle to every box that shows without a trial; None if there is none."""
    if not machine.has_proc:
        return _NO_PROC
    if machine.kernel < _OLDEST_KERNEL:
        return _too_old(machine, "a box", _OLDEST_KERNEL)
    if not machine.lists_children:
        return Obstacle(
            "this kernel does not list the children of a process, so that the bot in a box cannot be found",
            "use a kernel with CONFIG_PROC_CHILDREN, as all large distributions have",
        )
    if machine.missing:
        return _not_installed(machine.missing[0])
    if machine.bwrap_version and machine.bwrap_version < OLDEST_BWRAP:
        return Obstacle(
            f"bwrap {_dotted(machine.bwrap_version)} is too old; a box needs {_dotted(OLDEST_BWRAP)} or newer",
            "install bubblewrap from a newer release of your distribution, such as Debian 12 or Ubuntu 24.04",
        )
    return None


def foreseen_of_a_fence(machine: MachineFacts) -> Obstacle | None:
    """The obstacle to every fence of Landlock that shows without a trial; None if there is none."""
    if not machine.has_proc:
        return _NO_PROC
    if machine.kernel < _OLDEST_WITH_LANDLOCK:
        return _too_old(machine, "Landlock", _OLDEST_WITH_LANDLOCK)
    if machine.is_root and "setpriv" in machine.missing:
        return _not_installed("setpriv")
    return None


def explained_of_a_fence(words: str) -> Obstacle:
    """Why a trial of a fence of Landlock failed; `words` is the error of the trial."""
    if words.startswith("setpriv"):
        return Obstacle(
            f"root may not give a bot the right to read what only root can read ({words})",
            "run the referee as an ordinary user, or put Python, referee and bots where all users may read them",
        )
    return Obstacle(
        words,
        "see whether the kernel has Landlock: `landlock` must be among the names in /sys/kernel/security/lsm. If it is"
        " not, start the kernel with the parameter lsm=landlock, and the other names after it. In a container, Docker"
        " must be of 2022 or newer",
    )


def explained(machine: MachineFacts, words: str) -> Obstacle:
    """Why a trial of a box on a machine failed; `words` is the error of the trial."""
    if not machine.is_root:
        forbidden = _namespaces_forbidden(machine)
        if forbidden is not None:
            return forbidden
    if machine.is_contained or machine.is_filtered:
        return Obstacle(f"the container in which the referee runs forbids boxes ({words})", _DOCKER)
    return Obstacle(words, "see whether bwrap works by itself: bwrap --unshare-all --ro-bind / / --proc /proc true")


def weaknesses(machine: MachineFacts) -> list[str]:
    """The weaknesses of boxes on this machine, a sentence each."""
    if machine.is_root or machine.kernel >= _COUNTS_BY_NAMESPACE:
        return []
    since = _dotted(_COUNTS_BY_NAMESPACE)
    return [f"all processes of your user count towards each bot's limit of processes (not since Linux {since})"]


def _namespaces_forbidden(machine: MachineFacts) -> Obstacle | None:
    """The obstacle that keeps an ordinary user from namespaces."""
    if machine.user_namespaces == 0:
        return Obstacle(
            "no namespaces of users are allowed here (user.max_user_namespaces = 0)",
            "as root: sysctl -w user.max_user_namespaces=15000, and write it to a file of /etc/sysctl.d to keep it",
        )
    if machine.forbids_users:
        return Obstacle(
            "ordinary users may not make namespaces here (kernel.unprivileged_userns_clone = 0)",
            "as root: sysctl -w kernel.unprivileged_userns_clone=1, and write it to a file of /etc/sysctl.d to keep it",
        )
    if machine.apparmor_restricts:
        return Obstacle(
            "AppArmor lets no ordinary user make namespaces here (kernel.apparmor_restrict_unprivileged_userns = 1)",
            _APPARMOR.format(bwrap=machine.bwrap),
        )
    return None


def _too_old(machine: MachineFacts, what: str, oldest: tuple[int, int]) -> Obstacle:
    words = f"Linux {_dotted(machine.kernel)} is too old; {what} needs {_dotted(oldest)} or newer"
    return Obstacle(words, "run the referee on a newer system")


def _not_installed(program: str) -> Obstacle:
    return Obstacle(f"{program} is not installed", f"install {_PACKAGES[program]}")


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
