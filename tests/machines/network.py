"""Several machines on this one: namespaces of the network with a cable each to a switch, which is a namespace, too."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self


class Network:
    """Machines with the addresses 10.77.0.1 and so on. What they share is the disk. Nothing of it is seen outside."""

    def __init__(self, machines: Sequence[str]) -> None:
        self._prefix = f"rt{os.getpid()}"
        self.addresses = {name: f"10.77.0.{number}" for number, name in enumerate(machines, start=1)}
        self._spaces = [self._space("switch"), *map(self._space, machines)]

    def __enter__(self) -> Self:
        for space in self._spaces:
            _ip("netns", "add", space)
            _ip("-n", space, "link", "set", "lo", "up")
        switch = self._space("switch")
        _ip("-n", switch, "link", "add", "bridge", "type", "bridge")
        _ip("-n", switch, "link", "set", "bridge", "up")
        for name, address in self.addresses.items():
            space = self._space(name)
            _ip("-n", switch, "link", "add", name, "type", "veth", "peer", "name", "cable", "netns", space)
            _ip("-n", switch, "link", "set", name, "master", "bridge", "up")
            _ip("-n", space, "addr", "add", f"{address}/24", "dev", "cable")
            _ip("-n", space, "link", "set", "cable", "up")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for space in self._spaces:
            _ip("netns", "del", space)

    def start(
        self, machine: str, command: Sequence[str | Path], log: Path, env: Mapping[str, str], folder: Path | None = None
    ) -> "subprocess.Popen[bytes]":
        """Start a program on a machine. It ends when the process of the tests ends."""
        inside = ["ip", "netns", "exec", self._space(machine), "setpriv", "--pdeathsig=KILL"]
        with log.open("ab") as out:
            return subprocess.Popen(
                [*inside, *map(str, command)],
                stdout=out,
                stderr=out,
                stdin=subprocess.DEVNULL,
                env={**os.environ, **env},
                cwd=folder,
            )

    def ask(
        self, machine: str, command: Sequence[str | Path], env: Mapping[str, str], timeout_s: float = 120
    ) -> "subprocess.CompletedProcess[str]":
        """Run a program on a machine to its end."""
        inside = ["ip", "netns", "exec", self._space(machine), *map(str, command)]
        return subprocess.run(
            inside, capture_output=True, text=True, check=False, timeout=timeout_s, env={**os.environ, **env}
        )

    def pull(self, machine: str) -> None:
        """Pull the cable of a machine."""
        _ip("-n", self._space("switch"), "link", "set", machine, "down")

    def plug(self, machine: str) -> None:
        """Plug it in again."""
        _ip("-n", self._space("switch"), "link", "set", machine, "up")

    def drop(self, machine: str) -> None:
        """Have a machine lose all that it sends and all that comes."""
        chains = "".join(f"chain {way} {{ type filter hook {way} priority 0; policy drop; }}\n" for way in _WAYS)
        self._nft(machine, f"table inet cut {{\n{chains}}}\n")

    def pass_on(self, machine: str) -> None:
        """Have it lose nothing any more."""
        self._nft(machine, "delete table inet cut\n")

    def _nft(self, machine: str, rules: str) -> None:
        command = ["ip", "netns", "exec", self._space(machine), "nft", "-f", "-"]
        subprocess.run(command, input=rules.encode(), check=True)

    def _space(self, machine: str) -> str:
        return f"{self._prefix}-{machine}"


_WAYS = ("input", "output")


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)
