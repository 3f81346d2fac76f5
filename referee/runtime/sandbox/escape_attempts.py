"""Tries from inside what a box should prevent, and prints the results. It is the bot of the self-test (self_test.py).

The self-test starts the program as `python -I -S -c SOURCE BAIT`. BAIT is a JSON object with the things outside that
the program tries to reach. It prints one line, a JSON object with its findings. It uses the standard library only.
"""

import contextlib
import json
import os
import resource
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial

_LIMITS = ("DATA", "NOFILE", "FSIZE", "CORE", "NPROC")


def _succeeds(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except OSError:
        return False
    return True


def _call(family: socket.AddressFamily, address: object) -> None:
    with socket.socket(family) as caller:
        caller.settimeout(1)
        caller.connect(address)  # type: ignore[arg-type]  # it fits its family


def _read(path: str) -> None:
    with open(path, "rb") as file:  # noqa: PTH123 - pathlib is slow to import, and this runs before a league's first match
        file.read()


def _write(path: str) -> None:
    with open(path, "wb"):  # noqa: PTH123 - as above
        pass


def _reached(bait: dict[str, str]) -> Iterator[str]:
    """The names of the baits that it can reach. The self-test sees from outside whether it planted a file."""
    attempts: dict[str, Callable[[], object]] = {
        "file": lambda: _read(bait["file"]),
        "port": lambda: _call(socket.AF_INET, ("127.0.0.1", int(bait["port"]))),
        "socket": lambda: _call(socket.AF_UNIX, bait["socket"]),
        "abstract": lambda: _call(socket.AF_UNIX, "\0" + bait["abstract"]),
        "process": lambda: os.kill(int(bait["process"]), 0),
        "session": os.setsid,
    }
    for folder in (bait["folder"], ".", "/", "/usr"):
        _succeeds(partial(_write, f"{folder}/{bait['plant']}"))
    yield from (name for name, attempt in attempts.items() if _succeeds(attempt))


def _status() -> dict[str, str]:
    with open("/proc/self/status", encoding="ascii", errors="replace") as file:  # noqa: PTH123 - as above
        return dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)


def _has_scratch() -> bool:
    with contextlib.suppress(OSError), tempfile.TemporaryFile() as file:
        file.write(b"scratch")
        return True
    return False


def main(bait: dict[str, str]) -> None:
    """Try everything and print the results."""
    status = _status()
    found = {
        "capabilities": status["CapEff"],
        "no_new_privileges": status["NoNewPrivs"] == "1",
        "is_filtered": status["Seccomp"] == "2",
        "limits": {name: resource.getrlimit(getattr(resource, f"RLIMIT_{name}"))[1] for name in _LIMITS},
        "networks": [name for _, name in socket.if_nameindex()],
        "has_scratch": _has_scratch(),
        "reached": list(_reached(bait)),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
