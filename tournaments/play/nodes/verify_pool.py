"""Processes of the runner that judge what nodes send, while the runner itself gives out and stores."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import NamedTuple

from referee.core.errors import OurFailure
from referee.runtime.child_process import defer_signals
from tournaments.league.model import FinishedMatch
from tournaments.play.nodes.node_messages import Piece, PieceResult
from tournaments.play.nodes.node_pool import PooledNode
from tournaments.play.nodes.verify_result import ExpectedMatch, all_judged
from tournaments.play.workers.worker_messages import Work

_BACKLOG = 4
"""Pieces for each process that judges, above which nodes are given nothing: they are faster than the runner."""


class NodeVerifierLost(OurFailure):
    """A process that judged what nodes sent was killed."""


class VerifiedPiece(NamedTuple):
    """The results of a piece, with a verdict on each finished match.

    Attributes:
        node: the node that played it.
        piece: the piece.
        done: the results.
        verdicts: for each result, in order: the match as it is stored, or the reason why it is not valid; None if it
            is no finished match, or one that the runner did not ask for.
        error: the error of the verification.
    """

    node: PooledNode
    piece: Piece
    done: PieceResult
    verdicts: list[FinishedMatch | str | None]
    error: BaseException | None

    def raise_failure(self) -> None:
        """Raise what went wrong with judging, if anything did.

        Raises:
            NodeVerifierLost: a process was killed.
        """
        if isinstance(self.error, BrokenProcessPool):
            raise NodeVerifierLost("a process that judged what nodes sent was killed; what was stored is safe")
        if self.error is not None:
            raise self.error


class VerifyPool:
    """Judge pieces in a pool."""

    def __init__(self, pool: Executor, processes: int) -> None:
        """The pool has so many processes. It is not shut down here."""
        self._pool = pool
        self._most = _BACKLOG * processes
        self._waiting = 0

    @property
    def busy(self) -> bool:
        """Whether anything is being judged."""
        return self._waiting > 0

    @property
    def keep_up(self) -> bool:
        """Whether the pool verifies results about as fast as they arrive."""
        return self._waiting < self._most

    def judge(
        self, node: PooledNode, piece: Piece, done: PieceResult, work: Work, tell: Callable[[VerifiedPiece], None]
    ) -> None:
        """Verify the results of a piece. `tell` gets the verdicts in another thread; the caller then calls `count`."""
        expected = _expected(piece, work)
        held = [(expected.get(one.fixture.id), one) if isinstance(one, FinishedMatch) else None for one in done.told]
        with defer_signals():
            verdicts = self._pool.submit(all_judged, held)
        self._waiting += 1
        verdicts.add_done_callback(partial(_tell, node, piece, done, tell))

    def count(self) -> None:
        """Note that a piece was taken that had been judged."""
        self._waiting -= 1


def _tell(
    node: PooledNode,
    piece: Piece,
    done: PieceResult,
    tell: Callable[[VerifiedPiece], None],
    verdicts: "Future[list[FinishedMatch | str | None]]",
) -> None:
    if not verdicts.cancelled():  # which is when nobody listens any more
        error = verdicts.exception()
        tell(VerifiedPiece(node, piece, done, [] if error else verdicts.result(), error))


def _expected(piece: Piece, work: Work) -> dict[str, ExpectedMatch]:
    """By fixture, what a match of the piece is held to."""
    expected = {}
    for fixture, header in zip(piece.fixtures, piece.headers, strict=True):
        line_up = [work.entries[name] for name in fixture.entries]
        terms, places = tuple(entry.terms for entry in line_up), tuple(entry.place for entry in line_up)
        expected[fixture.id] = ExpectedMatch(fixture, header, work.clock, terms, places)
    return expected
