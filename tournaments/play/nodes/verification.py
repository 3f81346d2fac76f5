"""Whether what a node sent of a match follows from the rules and the plan. It is stored only if it does.

Processes of the runner verify it, while the runner itself gives out and stores. And some matches are played a second
time, on another node. They reveal a machine on which bots choose differently. The second match is not stored. If it
differs from the first, a bot does not choose by its seed alone (P-20), or one of the two machines is wrong. The runner
cannot tell which.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence, Set
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from referee.core import seeds
from referee.core.errors import OurFailure
from referee.core.game import AnyGame
from referee.match.replay import Difference, compare, verify
from referee.match.terms import Clock, EntryTerms
from referee.match.transcript import Header, Metadata, Record, Transcript
from referee.runtime.child_process import defer_signals
from referee.wire.registry import games
from tournaments.league.model import FinishedMatch, Fixture, Sitting, finished
from tournaments.play.nodes.node_messages import Piece, PieceResult
from tournaments.play.nodes.node_pool import PooledNode
from tournaments.play.workers.worker_messages import Work


class ExpectedMatch(msgspec.Struct, frozen=True):
    """The facts that a match must agree with.

    Attributes:
        fixture: the fixture of the match.
        header: the facts that were settled before it.
        clock: the time limits of bots that have none of their own.
        terms: by seat, the terms on which the bots were entered.
        places: by seat, the folders of the bots on the runner. On the node they were in other folders.
    """

    fixture: Fixture
    header: Header
    clock: Clock
    terms: tuple[EntryTerms, ...]
    places: tuple[str, ...]


def verified_match(expected: ExpectedMatch, match: FinishedMatch) -> FinishedMatch | str:
    """The match as it is stored, or the first thing that is wrong with it. It stops at nothing that it reads."""
    try:
        record = msgspec.json.decode(match.record, type=Record)
        transcript = Transcript(record, msgspec.json.decode(match.metadata, type=Metadata))
    except (ValueError, RecursionError) as error:
        return f"it is no transcript: {error}"
    wrong = _wrong(games()[expected.header.game].game, expected, match, transcript)
    if wrong is not None:
        return wrong
    return finished(expected.fixture, replace(transcript, metadata=replace(transcript.metadata, bots=expected.places)))


def _wrong(game: AnyGame, expected: ExpectedMatch, match: FinishedMatch, transcript: Transcript) -> str | None:
    if transcript.record.header != expected.header:
        return "its header (options, seeds, entries) is not the one that was sent"
    if transcript.metadata.clock != expected.clock:
        return "it was played with another clock than the league's"
    if transcript.terms != expected.terms:
        return "its bots were entered with other terms than the league's"
    try:
        verify(game, transcript)
        again = finished(expected.fixture, transcript)
    except Difference as difference:
        return str(difference)
    except (ValueError, IndexError, KeyError) as error:  # seats and decisions that are none
        return f"it does not describe a match: {error}"
    return None if again == match else "what it says of the match besides the transcript does not follow from it"


def verify_matches(
    results: Sequence[tuple[ExpectedMatch | None, FinishedMatch] | None],
) -> list[FinishedMatch | str | None]:
    """The verdict on each finished match of a piece. A process of the runner computes it.

    Args:
        results: the results, in order: a match with the facts it must agree with, or None if nobody
            asked for it; or None for a result that is no finished match, and gets no verdict.
    """
    return [None if one is None or one[0] is None else verified_match(one[0], one[1]) for one in results]


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


class VerificationPool:
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
        held = [(expected.get(one.fixture.id), one) if isinstance(one, FinishedMatch) else None for one in done.results]
        with defer_signals():
            verdicts = self._pool.submit(verify_matches, held)
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


_PREFIX = "again/"

_FACES = 10_000
"""The share is drawn in steps of one in this many."""

TOGETHER = 4
"""So many matches of a line-up are played again at a time, unless nothing else is left: each time starts processes."""


class _First(NamedTuple):
    """The first playing of a match: where, and its record."""

    node: str
    record: bytes


def is_again(sitting: str) -> bool:
    """Whether a sitting of this id plays matches a second time."""
    return sitting.startswith(_PREFIX)


def drawn(share: float, header: Header) -> bool:
    """Whether a match is played a second time, if this share of all is. Its own seed decides."""
    (roll,) = seeds.rolls(seeds.child(bytes.fromhex(header.bot_seeds[0]), "again"), _FACES, 1)
    return roll < share * _FACES


class SpotChecks:
    """Chooses the matches that are played a second time, and counts the outcomes.

    Attributes:
        same: how many were the same.
        different: how many were not.
    """

    def __init__(self, share: float) -> None:
        """Draw this share of all matches."""
        self._share = share
        self._first: dict[str, _First] = {}
        self._waiting: defaultdict[tuple[str, tuple[str, ...]], list[Fixture]] = defaultdict(list)
        self.same = 0
        self.different = 0

    def take(self, node: str, header: Header, match: FinishedMatch) -> None:
        """Draw whether a match that was played on a node is played a second time. The match's own seeds decide."""
        if drawn(self._share, header):
            self._first[match.fixture.id] = _First(node, match.record)
            self._waiting[node, match.fixture.entries].append(match.fixture)

    def next(self, node: str, least: int) -> Sitting | None:
        """Matches of one line-up that another node than this one has played; None if there are less than `least`."""
        for (other, entries), fixtures in self._waiting.items():
            if other != node and len(fixtures) >= least:
                del self._waiting[other, entries]
                return Sitting(f"{_PREFIX}{fixtures[0].id}", tuple(fixtures))
        return None

    def waits(self, nodes: Set[str]) -> bool:
        """Whether there are matches that one of these nodes could play."""
        return any(nodes - {other} for other, _ in self._waiting)

    def put_back(self, sitting: Sitting) -> None:
        """Let these matches wait for a node again."""
        for fixture in sitting.fixtures:
            if fixture.id in self._first:
                self._waiting[self._first[fixture.id].node, fixture.entries].append(fixture)

    def difference(self, node: str, match: FinishedMatch) -> str | None:
        """The difference between the second playing of a match and the first, in a sentence; None if there is none."""
        first = self._first.pop(match.fixture.id, None)
        if first is None or first.record == match.record:
            self.same += first is not None
            return None
        self.different += 1
        was, now = (msgspec.json.decode(record, type=Record) for record in (first.record, match.record))
        return (
            f"{match.fixture.id} came out differently on {first.node} and on {node}: {compare(was, now)};"
            " a bot does not choose by its seed alone (P-20), or one of the two machines is wrong"
        )

    def drop(self, fixture: str) -> None:
        """Let a match be: its second playing does not count, or failed."""
        self._first.pop(fixture, None)
