"""Hostile packages of games, all from one template: Kuhn poker, of which one method goes wrong in one way."""

import functools
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from tests.kuhn import Kuhn

SEED = 68
METHODS = (
    *("seats", "sides", "deals_sides", "setup", "awaiting", "legal", "luck", "apply", "is_whole", "view", "heard"),
    *("describe", "describe_action", "describe_view", "resample", "reconstruct"),
)
TEMPLATE = """
import itertools, os, sys, time

def go_wrong(right, arguments, last):
    {body}
"""
KINDS: Mapping[str, str] = {
    "raises": "raise KeyError('pot')",
    "raises a group": "raise BaseExceptionGroup('all', [SystemExit(0)])",
    "calls sys.exit": "sys.exit()",
    "calls os._exit": "os._exit(0)",
    "raises KeyboardInterrupt": "raise KeyboardInterrupt",
    "answers with another type": "return object()",
    "answers with None": "return None",
    "answers with an endless generator": "return itertools.count()",
    "consumes an endless generator": "return tuple(i for i in itertools.count())",
    "consumes an endless iterator in C": "return list(itertools.count())",
    "answers with gigabytes": "return 'x' * (64 << 30)",
    "loops": "while True: pass",
    "sleeps": "time.sleep(1e9)",
    "recurs": "return go_wrong(right, arguments, last)",
    "answers as it did before": "return last",
}
"""By what a method does, its body."""

SOUND = {
    *((method, "answers with None") for method in ("heard", "resample", "reconstruct")),
    *((method, "answers with another type") for method in ("is_whole",)),
    *(
        (method, "answers as it did before")
        for method in ("seats", "sides", "deals_sides", "setup", "legal", "is_whole")
    ),
}
"""What is right in Kuhn poker: to hear nothing, to have no other worlds; and what is always the same."""


class Hostile(NamedTuple):
    """A package.

    Attributes:
        method: the method that goes wrong.
        kind: how; one of `KINDS`.
        after: how many right answers it gives before.
    """

    method: str
    kind: str
    after: int

    def __str__(self) -> str:
        return f"{self.method} {self.kind} after {self.after} right answers"

    def game(self) -> Any:
        """Its game."""
        scope: dict[str, Any] = {}
        exec(TEMPLATE.format(body=KINDS[self.kind]), scope)  # noqa: S102 - all of it stands above
        return type("HostileGame", (Kuhn,), {"name": "hostile", self.method: self._wrong(scope["go_wrong"])})()

    def _wrong(self, go_wrong: Callable[..., Any]) -> Any:
        right, calls, last = getattr(Kuhn, self.method), count(), [None]

        @functools.wraps(right)
        def method(*arguments: Any) -> Any:
            if next(calls) >= self.after:
                answer = go_wrong(right, arguments, last[0])
                last[0] = right(*arguments)
                return answer
            last[0] = right(*arguments)
            return last[0]

        return method


def packages(kind: str) -> Iterator[Hostile]:
    """The packages that go wrong in this way: one of each method. They are always the same."""
    for method in METHODS:
        after = Random(f"{SEED}/{method}/{kind}").choice((1, 1, 2, 3))
        if (method, kind) not in SOUND:
            yield Hostile(method, kind, after)


def write_package(folder: Path, method: str, body: str) -> Path:
    """Write a package as pip would install it. `method` is of its game, or "import" for its module."""
    folder.mkdir()
    code = f"import sys\nfrom typing import Any\nfrom tests.kuhn import *\n\n\ndef go_wrong():\n    {body}\n\n\n"
    if method == "import":
        code += "go_wrong()\n"
    code += 'class Hostile(Kuhn):\n    name = "hostile"\n'
    code += f"    def {method.replace('import', 'other')}(self, *arguments: Any) -> Any:\n        return go_wrong()\n"
    (folder / "hostile_game.py").write_text(f"{code}\n\ngame = Hostile()\n")
    info = folder / "hostile-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: hostile\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text("[referee.games]\nhostile = hostile_game:game\n")
    return folder
