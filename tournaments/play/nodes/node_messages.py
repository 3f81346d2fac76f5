"""The messages between a runner and its nodes. All of them are plain values."""

from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from referee.core.bot_limits import FolderLimits, Sandbox
from referee.core.tree_listing import File, Symlink
from referee.match.transcript import Header
from tournaments.league.model import Fixture
from tournaments.play.match_results import BrokenBatch, Result
from tournaments.play.nodes.remote_logs import Words
from tournaments.play.workers.worker_messages import Work


class Kit(msgspec.Struct, frozen=True):
    """All that a node needs to play a league.

    Attributes:
        id: no other kit has it, of this run or of another.
        work: the settings that all matches share; of the bots it has only those that are called at an address.
        trees: by entry, the digest of the tree of a bot that is started.
        listings: by digest, the list of files of each of these trees.
        limits: of the bots' folders.
        sandbox: the kind of sandbox they run in.
        has_logs: whether the runner stores the bots' output.
    """

    id: str
    work: Work
    trees: Mapping[str, str]
    listings: Mapping[str, Mapping[str, File | Symlink]]
    limits: FolderLimits
    sandbox: Sandbox
    has_logs: bool = False


class Chunk(msgspec.Struct, frozen=True):
    """A part of a file that a node lacks.

    Attributes:
        sha256: of the whole file, in hex.
        at: where the part begins, in bytes.
        content: the part.
    """

    sha256: str
    at: int
    content: bytes


class Piece(msgspec.Struct, frozen=True):
    """Some matches of a sitting, which one place of a node plays in a few seconds.

    Attributes:
        number: no other piece of the run has it.
        kit: the id of the kit.
        place: which of the node's places plays it, from 0.
        sitting: names the sitting. Pieces of the same sitting are played on the same processes.
        fixtures: the matches, in order; never empty.
        headers: the header of each.
        singly: whether they are played one by one, whatever the bots can do.
    """

    number: int
    kit: str
    place: int
    sitting: str
    fixtures: tuple[Fixture, ...]
    headers: tuple[Header, ...]
    singly: bool


PlayResult: TypeAlias = Result | BrokenBatch


class PieceResult(msgspec.Struct, frozen=True):
    """A piece that was played.

    Attributes:
        results: its results, and batches that broke, in the order of their arrival.
        took_s: how long it took on the node, in seconds.
        load: how many threads wanted a core on the node over the last minute, as its kernel counts.
        words: the output of the bots meanwhile.
    """

    results: tuple[PlayResult, ...]
    took_s: float
    load: float = 0.0
    words: Words = {}
