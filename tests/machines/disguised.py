"""`referee machine`, disguised: `disguised.py HOW ADDRESS`.

A `liar` sends matches that end too early. An `older` one says that it is an older version, and an `other` one that it
has another Python.
"""

import sys
from typing import Any

import msgspec
from msgspec.structs import replace

from tournaments.league.model import FinishedMatch
from tournaments.play.nodes import node
from tournaments.play.nodes.compatibility import about
from tournaments.play.nodes.join import join
from tournaments.play.nodes.node_messages import Piece, PieceResult

_play = node.Node.play


def lie(self: node.Node, piece: Piece) -> PieceResult:
    done = _play(self, piece)
    return replace(done, results=tuple(_cut(one) if isinstance(one, FinishedMatch) else one for one in done.results))


def _cut(match: FinishedMatch) -> FinishedMatch:
    """The match without its last choice."""
    record = msgspec.json.decode(match.record)
    del record["choices"][-1]
    return replace(match, record=msgspec.json.encode(record))


def older() -> dict[str, Any]:
    return {**msgspec.to_builtins(about()), "version": "0.0.1"}


def other() -> dict[str, Any]:
    return {**msgspec.to_builtins(about()), "python": "3.99.1"}


if __name__ == "__main__":
    _, how, address = sys.argv
    if how == "liar":
        node.Node.play = lie  # type: ignore[method-assign]
    else:
        node.introduce = {"older": older, "other": other}[how]
    join(address, 1, print)
