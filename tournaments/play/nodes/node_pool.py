"""The nodes of a run as the runner sees them: what each was given, and how it does. No clock, no Dask."""

from collections import deque
from collections.abc import Iterator

from referee.match.transcript import Header
from tournaments.league.model import Fixture, Sitting
from tournaments.play.nodes.node_messages import Piece
from tournaments.play.nodes.speed_limits import SpeedLimits, SpeedMeasurement, too_slow
from tournaments.play.retry_policy import Throttle
from tournaments.play.workers.sitting_supply import SittingSupply

PIECE_S = 3.0
"""How long a piece should take: so much is lost with a node, at most, for each that it was given."""

_FIRST = 4
"""How many matches the first piece of a node has."""

_LONGEST = 1_000
"""How many matches a piece has at most, however quick they are."""

MEASURE_MS = 60_000
"""How often a node measures itself while it plays."""

MEASURE_AGAIN_MS = 10_000
"""How often while it is too slow to play."""

_NEVER_MS = 1 << 62

WRONG_ALLOWED = 3
"""A node is left out if so many of its transcripts did not hold, or so many of its pieces in a row failed."""


class SlotAssignment:
    """A place of a node, and the sitting that it plays.

    Attributes:
        node: whose it is.
        number: which of the node's places it is, from 0.
        left: the matches of the sitting that were not given yet.
        entries: the bots that it holds, by seat.
        pieces: by number, the pieces that it was given.
    """

    def __init__(self, node: "PooledNode", number: int) -> None:
        self.node = node
        self.number = number
        self.left: deque[Fixture] = deque()
        self.entries: tuple[str, ...] = ()
        self.pieces: dict[int, Piece] = {}
        self._sitting = ""
        self._singly = False

    def may_play(self, now_ms: int) -> bool:
        """Whether it plays, or may begin to."""
        return bool(self.pieces) or self.node.may_begin(now_ms)

    def may_have_more(self, now_ms: int) -> bool:
        """Whether it may be given a further piece."""
        return len(self.pieces) < self.node.window and self.may_play(now_ms)

    def begin(self, sitting: Sitting, name: str, singly: bool) -> None:
        """Begin a sitting. A `name` that was never used lets it begin on new processes."""
        self.left, self.entries = deque(sitting.fixtures), sitting.fixtures[0].entries
        self._sitting, self._singly = name, singly

    def rest(self) -> Sitting:
        """Give back the rest of the sitting."""
        left = Sitting(self._sitting, tuple(self.left))
        self.left.clear()
        return left

    def halve(self) -> Sitting:
        """Give away the second half of the rest of the sitting."""
        away = [self.left.pop() for _ in range(len(self.left) // 2)]
        return Sitting(self._sitting, tuple(reversed(away)))

    def cut(self, number: int, kit: str, supply: SittingSupply, most: int) -> Piece | None:
        """The next piece of the sitting, which is given from now on; None if no match of it is wanted any more."""
        given: dict[Fixture, Header] = {}
        while self.left and len(given) < most:
            fixture = self.left.popleft()
            header = supply.header(fixture)
            if header is not None:
                given[fixture] = header
        if not given:
            return None
        piece = Piece(number, kit, self.number, self._sitting, tuple(given), tuple(given.values()), self._singly)
        self.pieces[number] = piece
        return piece

    def give_back(self) -> Iterator[Sitting]:
        """All that was given or is left, as sittings; the place has nothing then."""
        for piece in self.pieces.values():
            yield Sitting(piece.sitting, piece.fixtures)
        if self.left:
            yield self.rest()
        self.pieces.clear()


class PooledNode:
    """A node that plays.

    Attributes:
        name: its address.
        places: each plays a match, or a batch, at a time.
        window: how many pieces each place may have been given.
        pace: how many places play, since the machine may be too busy.
        rest_until_ms: when it may be given more.
        wrong: how many of its transcripts did not hold.
        failed: how many pieces in a row it could not play.
        slow: why it plays nothing until it is quick again; None: it is quick enough.
    """

    def __init__(self, name: str, places: int, window: int) -> None:
        self.name = name
        self.places = [SlotAssignment(self, number) for number in range(places)]
        self.window = window
        self.pace = Throttle(places)
        self.rest_until_ms = 0
        self.wrong = 0
        self.failed = 0
        self.slow: str | None = None
        self._measure_at_ms = 0
        self._match_s: float | None = None

    @property
    def playing(self) -> int:
        """At how many places it has something to play."""
        return sum(bool(place.pieces) for place in self.places)

    def may_begin(self, now_ms: int) -> bool:
        """Whether one more place may play."""
        return self.slow is None and self.rest_until_ms <= now_ms and self.playing < self.pace.at_once

    def must_measure(self, now_ms: int) -> bool:
        """Whether it is time for the node to measure itself. It is not asked again before it has."""
        if now_ms < self._measure_at_ms:
            return False
        self._measure_at_ms = now_ms + _NEVER_MS
        return True

    def note_speed(self, measured: SpeedMeasurement, limits: SpeedLimits, now_ms: int) -> None:
        """Note how quick the node found itself."""
        self.slow = too_slow(measured, limits)
        self._measure_at_ms = now_ms + (MEASURE_MS if self.slow is None else MEASURE_AGAIN_MS)

    def length(self, batch: int) -> int:
        """How many matches the next piece has; `batch` are played at once."""
        by_time = _FIRST if self._match_s is None else round(PIECE_S / max(self._match_s, PIECE_S / _LONGEST))
        return max(1, by_time, 2 * batch if batch > 1 else 0)

    def disturb(self, now_ms: int) -> None:
        """Note that the machine was too busy for a match: fewer places play, or all rest. `now_ms` is on any clock."""
        self.pace.disturb()
        self.rest_until_ms = now_ms + self.pace.rest_ms

    def note(self, matches: int, took_s: float) -> None:
        """Note how long a piece took."""
        self.failed = 0
        if matches:
            each = took_s / matches
            self._match_s = each if self._match_s is None else (self._match_s + each) / 2
