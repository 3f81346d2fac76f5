"""Gives each free place of a node its next piece, and gives lost pieces to other nodes.

It looks at no clock: the caller passes the time.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import count
from typing import NamedTuple

from tournaments.league.model import Sitting
from tournaments.play.nodes.node_messages import Nodes, Piece
from tournaments.play.nodes.node_pool import PooledNode, SlotAssignment
from tournaments.play.nodes.verification import TOGETHER, SpotChecks, is_again
from tournaments.play.workers.sitting_supply import SittingSupply
from tournaments.play.workers.worker_messages import Work


class AssignedPiece(NamedTuple):
    """A piece, and the place that was given it."""

    place: SlotAssignment
    piece: Piece


class Dispatcher:
    """Gives pieces to the places of nodes.

    Attributes:
        nodes: those that play, by address.
    """

    def __init__(self, cluster: Nodes, again: SpotChecks) -> None:
        """Give pieces to these nodes; `again` has the matches that are played a second time."""
        self.nodes: dict[str, PooledNode] = {}
        self._cluster = cluster
        self._again = again
        self._assignments: dict[int, SlotAssignment] = {}
        self._numbers = count()
        self._may_share = False  # whether a sitting was begun since it was seen that no place has enough for two

    def begin(self, supply: SittingSupply, work: Work, kit: str) -> None:
        """Give out the matches of this supply from now on. All earlier ones are over."""
        self._supply = supply
        self._work = work
        self._kit = kit

    @property
    def goes_on(self) -> bool:
        """Whether something was given, or can still be."""
        quick = {name for name, node in self.nodes.items() if node.slow is None}
        waits = self._supply or self._again.waits(quick)
        return bool(self._assignments or waits) or any(place.left for place in self._places())

    def feed(self, now_ms: int, places: Iterable[SlotAssignment] | None = None) -> None:
        """Give these places, or all, as many pieces as they may have. One that rests gives its sitting to others."""
        for place in self._places() if places is None else places:
            if place.left and not place.may_play(now_ms):
                self.put_back(place.rest())
            while place.may_have_more(now_ms) and self._seat(place):
                self._give(place)

    def take_back(self, number: int) -> AssignedPiece | None:
        """A piece that is not under way any more; None if it was not, since it was cancelled or its node was lost."""
        place = self._assignments.pop(number, None)
        return None if place is None else AssignedPiece(place, place.pieces.pop(number))

    def cancel_unwanted(self) -> None:
        """Take back the pieces without a match that is still wanted."""
        for number, place in list(self._assignments.items()):
            if not self._supply.wants(place.pieces[number].fixtures):
                self._cluster.cancel(place.node.name, number)
                self.take_back(number)

    def lose(self, node: PooledNode) -> Iterator[Sitting]:
        """All that a node was given or had left. It is no node of ours from now on."""
        del self.nodes[node.name]
        for place in node.places:
            for number in place.pieces:
                del self._assignments[number]
            yield from place.give_back()

    def relieve(self, node: PooledNode) -> None:
        """Let others play the pieces of a node. It plays its present piece in vain."""
        for place in node.places:
            for number in place.pieces:
                self._cluster.cancel(node.name, number)
                del self._assignments[number]
            for sitting in place.give_back():
                self.put_back(sitting)

    def put_back(self, sitting: Sitting) -> None:
        """Let the rest of a sitting wait for a place."""
        if is_again(sitting.id):
            self._again.put_back(sitting)
        elif sitting.fixtures:
            self._supply.put_back(sitting)

    def _places(self) -> list[SlotAssignment]:
        """All places, first those that have begun a sitting."""
        return sorted((place for node in self.nodes.values() for place in node.places), key=lambda it: not it.left)

    def _seat(self, place: SlotAssignment) -> bool:
        """Whether the place has a sitting, or can begin one."""
        if place.left:
            return True
        if place.pieces and self._work.calls_remote(place.entries):
            return False  # what it holds now is not free for others yet
        sitting = self._next(place)
        if sitting is not None:
            place.begin(sitting, f"{sitting.id}/{next(self._numbers)}", self._supply.singly(sitting))
        return sitting is not None

    def _next(self, place: SlotAssignment) -> Sitting | None:
        """The sitting that a place should begin.

        It is one that others played before, if there are enough of those or nothing else is left.
        """
        name = place.node.name
        sitting = self._again.next(name, TOGETHER) or self._supply.next(self._busy_seats(place))
        self._may_share = self._may_share or sitting is not None
        return sitting or self._shared() or self._again.next(name, 1)

    def _busy_seats(self, but: SlotAssignment) -> Counter[str]:
        """How many seats remote bots hold in sittings of other places."""
        if not any(entry.remote for entry in self._work.entries.values()):
            return Counter()
        busy = (place for place in self._places() if place is not but and (place.pieces or place.left))
        return Counter(entry for place in busy for entry in place.entries)

    def _shared(self) -> Sitting | None:
        """Half of what the place with most to do has left, when nothing else is left to begin."""
        if not self._may_share:
            return None
        most = max(self._places(), key=lambda place: len(place.left))
        self._may_share = len(most.left) >= 2 * self._length(most) and not self._work.calls_remote(most.entries)
        return most.halve() if self._may_share else None

    def _give(self, place: SlotAssignment) -> None:
        number = next(self._numbers)
        piece = place.cut(number, self._kit, self._supply, self._length(place))
        if piece is not None:
            self._assignments[number] = place
            self._cluster.send(place.node.name, piece)

    def _length(self, place: SlotAssignment) -> int:
        return place.node.length(self._work.batch)
