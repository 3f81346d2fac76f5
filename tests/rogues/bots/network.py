"""Whom a rogue may call: other bots, services of the machine, the internet."""

import contextlib
import socket
import struct
from pathlib import Path

from .bot import FIRST, SERVICE_HOST, Moment, at


@at(FIRST)
def calls_a_service(moment: Moment) -> bool:
    """Calls a service on the loopback."""
    return _greets((SERVICE_HOST, moment.given.port))


@at(FIRST)
def calls_by_version_6(moment: Moment) -> bool:
    """Calls services on ::1, and on the loopback in the words of version 6."""
    hosts = ("::1", f"::ffff:{SERVICE_HOST}")
    return any(_connects(socket.AF_INET6, (host, moment.given.port, 0, 0)) for host in hosts)


@at(FIRST)
def calls_the_internet(_moment: Moment) -> bool:
    """Looks for a way to the internet: a route to an address that is set aside for documents, and name servers."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(("192.0.2.1", 53))
        except OSError:
            return False
        return bool(asking.getsockname()[0] != "127.0.0.1")


@at(FIRST)
def lists_interfaces(_moment: Moment) -> bool:
    """Looks for interfaces of the network besides the loopback."""
    return any(name != "lo" for _, name in socket.if_nameindex())


@at(FIRST)
def calls_other_bots(moment: Moment) -> bool:
    """Calls the socket of another bot, which would take it for the referee."""
    own = Path(moment.given.address.removeprefix("unix:"))
    return any(_connects(socket.AF_UNIX, str(other)) for other in own.parent.parent.glob("*/*") if other != own)


@at(FIRST)
def calls_every_socket(moment: Moment) -> bool:
    """Calls every socket that the kernel lists, abstract ones too."""
    own = moment.given.address.removeprefix("unix:")
    lines = Path("/proc/net/unix").read_text().splitlines()[1:]
    names = {words[7] for words in map(str.split, lines) if len(words) > 7} - {own}
    return any(_connects(socket.AF_UNIX, name.replace("@", "\0", 1) if name[0] == "@" else name) for name in names)


@at(FIRST)
def calls_services_of_the_system(_moment: Moment) -> bool:
    """Calls the services by which a desktop or a server is run."""
    places = ("/run/dbus/system_bus_socket", "/run/systemd/private", "/run/docker.sock", "/var/run/docker.sock")
    return any(_connects(socket.AF_UNIX, place) for place in (*places, "/dev/log", "/run/nscd/socket"))


@at(FIRST)
def calls_every_port(moment: Moment) -> bool:
    """Calls every port of the machine that another bot may listen on."""
    own = moment.given.address.rpartition(":")[2]
    with contextlib.suppress(OSError):
        for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
            _, local, _, state, *_ = line.split()
            port = int(local.partition(":")[2], 16)
            if state == "0A" and str(port) != own and _connects(socket.AF_INET, ("127.0.0.1", port)):
                return True
    return False


@at(FIRST)
def sees_connections(moment: Moment) -> bool:
    """Reads from the kernel which ports are open on the machine."""
    service = f":{moment.given.port:04X} "
    return service in Path("/proc/net/tcp").read_text()


@at(FIRST)
def calls_the_hypervisor(_moment: Moment) -> bool:
    """Calls the host of a virtual machine."""
    try:
        with socket.socket(40, socket.SOCK_STREAM) as calling:  # AF_VSOCK
            return bool(struct.calcsize("i")) and calling.fileno() >= 0
    except OSError:
        return False


def _greets(address: tuple[str, int]) -> bool:
    try:
        with socket.create_connection(address, timeout=1) as called:
            return called.recv(5) == b"hello"
    except OSError:
        return False


def _connects(family: int, address: object) -> bool:
    with socket.socket(family) as calling:
        calling.settimeout(1)
        try:
            calling.connect(address)  # type: ignore[arg-type]
        except OSError:
            return False
    return True
