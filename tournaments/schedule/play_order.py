"""The order in which line-ups play the deals of a piece. It is drawn from the seed of the league.

The seed is secret while deals are open. Every line-up has an order of its own. So a bot that counts its matches, or
remembers those of another line-up, does not learn from their order which deal it plays. It only knows the piece, which
all line-ups share (`wave.pieces`).

The order also draws where a bot meets a deal first. For every entry one group is drawn, and two line-ups of this group
begin the piece. Each plays one half of the deals at the beginning of the piece, and the other half at its end. The
halves are drawn, and what one line-up plays at the beginning, the other plays at the end. So a bot without a memory is
as likely to meet a deal first in one of the two as in the other, whatever their results
(`tournaments.comparison.memory_evidence`).
"""

from collections.abc import Iterator, Sequence, Set
from itertools import groupby
from typing import NamedTuple

from referee.core import seeds
from tournaments.league.deals import OwnDeals
from tournaments.schedule.formats.wave import LineUp, LineUps, PlannedSitting, PlayOrder


class NumberedLineUp(NamedTuple):
    """A line-up, and its number in the wave."""

    number: int
    line_up: LineUp


class FirstMeeting(NamedTuple):
    """Two line-ups of a group that begin a piece: where bots meet its deals first.

    Attributes:
        line_ups: the two. They have the same table and the same entries.
        early: the deals that the first of them plays at the beginning of the piece, and the second at its end. The
            second plays the others at the beginning, and the first plays them at the end.
        entries: the entries that meet the deals of the piece first here, and not in another group.
    """

    line_ups: tuple[NumberedLineUp, NumberedLineUp]
    early: Set[int]
    entries: Set[str]


def drawn_order(seed: bytes, own: OwnDeals) -> PlayOrder:
    """The order of play in a league with this seed, 32 bytes. It depends on nothing that was played.

    `own` says which line-ups have luck of their own: none of them begins a piece.
    """
    root = _root(seed)

    def order(line_ups: LineUps, piece: range) -> Iterator[PlannedSitting]:
        def part(seated: NumberedLineUp, half: Set[int]) -> PlannedSitting:
            return PlannedSitting(*seated, [deal for deal in _deals(root, seated.line_up, piece) if deal in half])

        drawn = first_meetings(seed, own, line_ups, piece)
        meeting_numbers = {each.number for meeting in drawn for each in meeting.line_ups}
        for (one, other), early, _ in drawn:
            yield part(one, early)
            yield part(other, set(piece) - early)
        for number, line_up in line_ups.numbered():
            if number not in meeting_numbers:
                yield PlannedSitting(number, line_up, _deals(root, line_up, piece))
        for (one, other), early, _ in drawn:
            yield part(other, early)
            yield part(one, set(piece) - early)

    return order


def first_meetings(seed: bytes, own: OwnDeals, line_ups: LineUps, piece: range) -> list[FirstMeeting]:
    """The line-ups that begin a piece, in the order of play. Every entry has one, if a group of it can have one.

    The draw of a group depends on the seed, the piece and its names alone, so later entries change it for nobody else.
    """
    root = seeds.child(_root(seed), "first meetings", f"deal-{piece.start}")
    firsts: dict[str, tuple[bytes, list[NumberedLineUp]]] = {}
    numbered = map(NumberedLineUp._make, line_ups.numbered())
    for (table, names), found in groupby(numbered, lambda each: (each.line_up.table, sorted(each.line_up.entries))):
        seated = list(found)
        if len(seated) > 1 and not own.has(table, names):
            drawn = seeds.child(root, table, "+".join(names))
            for name in names:
                if name not in firsts or drawn < firsts[name][0]:
                    firsts[name] = drawn, seated
    entries: dict[bytes, set[str]] = {}
    for name, (drawn, _) in firsts.items():
        entries.setdefault(drawn, set()).add(name)
    groups = dict(firsts.values())
    return [_meeting(drawn, groups[drawn], piece, entries[drawn]) for drawn in sorted(entries)]


def _meeting(drawn: bytes, seated: Sequence[NumberedLineUp], piece: range, entries: Set[str]) -> FirstMeeting:
    one, other = seeds.permutation(seeds.child(drawn, "line-ups"), len(seated))[:2]
    half = seeds.permutation(seeds.child(drawn, "half"), len(piece))[: len(piece) // 2]
    return FirstMeeting((seated[one], seated[other]), {piece[at] for at in half}, entries)


def _root(seed: bytes) -> bytes:
    return seeds.child(seed, "order of play")


def _deals(root: bytes, line_up: LineUp, piece: range) -> Sequence[int]:
    """All deals of a piece in the order of a line-up."""
    labels = (line_up.table, "+".join(line_up.entries), f"turn-{line_up.rotation}", f"deal-{piece.start}")
    return [piece[at] for at in seeds.permutation(seeds.child(root, *labels), len(piece))]
