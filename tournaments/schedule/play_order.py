"""The order in which line-ups play the deals of a piece. It is drawn from the seed of the league.

The seed is secret while deals are open. Every line-up has an order of its own. So a bot that counts its matches, or
remembers those of another line-up, does not learn from their order which deal it plays. It only knows the piece, which
all line-ups share (`wave.pieces`).

A long piece has two parts: a drawn half of its deals is new to all bots when the other half has been played.

The order also draws where a bot meets a deal first. For every entry one group is drawn, and two line-ups of this group
begin each part. Each plays one half of the deals at the beginning of the part, and the other half later, at a drawn
place among the other line-ups, which play in a drawn order. The halves are drawn, and what one line-up plays at the
beginning, the other plays later. So a bot without a memory is as likely to meet a deal first in one of the two as in
the other, whatever their results (`tournaments.comparison.memory_evidence`). And no bot knows which of its later
meetings with a deal is compared with the first.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from itertools import chain, count, groupby, islice
from typing import NamedTuple

from referee.core import seeds
from tournaments.league.deals import OwnDeals
from tournaments.schedule.formats.wave import LineUp, LineUps, PlannedSitting, PlayOrder

_LONG = 16
"""A piece of so many deals has two parts. In a shorter one, the starts of processes would cost more than it says."""

_AT_ONCE = 1 << 16
"""So many line-ups are shuffled at once."""


class NumberedLineUp(NamedTuple):
    """A line-up, and its number in the wave."""

    number: int
    line_up: LineUp


class FirstMeeting(NamedTuple):
    """Two line-ups of a group that begin the parts of a piece: where bots meet its deals first.

    Attributes:
        line_ups: the two. They have the same table and the same entries.
        early: the deals that the first of them plays at the beginning of their part, and the second later. The second
            plays the others at the beginning, and the first plays them later.
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
        drawn = first_meetings(seed, own, line_ups, piece)
        for number, part in enumerate(parts(seed, piece) if drawn else [piece]):
            luck = seeds.child(root, f"part-{number}", f"deal-{piece.start}")
            for seated, half in _of_part(luck, line_ups, drawn, frozenset(part)):
                yield PlannedSitting(*seated, [deal for deal in _deals(root, seated.line_up, piece) if deal in half])

    return order


def parts(seed: bytes, piece: range) -> Sequence[Sequence[int]]:
    """The deals of each part of a piece. `seed` is that of the league, 32 bytes."""
    if len(piece) < _LONG:
        return [piece]
    drawn = seeds.permutation(seeds.child(_root(seed), "parts", f"deal-{piece.start}"), len(piece))
    return [[piece[at] for at in sorted(half)] for half in (drawn[: len(piece) // 2], drawn[len(piece) // 2 :])]


def _of_part(
    luck: bytes, line_ups: LineUps, drawn: Sequence[FirstMeeting], deals: Set[int]
) -> Iterator[tuple[NumberedLineUp, Set[int]]]:
    """The line-ups that play a part, in order, each with its deals. Those that begin it come twice."""
    begin = {each.number for meeting in drawn for each in meeting.line_ups}
    later: defaultdict[int, list[FirstMeeting]] = defaultdict(list)
    for meeting in drawn:
        one, other = meeting.line_ups
        yield one, deals & meeting.early
        yield other, deals - meeting.early
        place = seeds.child(luck, one.line_up.table, "+".join(sorted(one.line_up.entries)))
        later[seeds.rolls(place, len(line_ups) - len(begin) + 1, 1)[0]].append(meeting)
    others = (each for each in map(NumberedLineUp._make, line_ups.numbered()) if each.number not in begin)
    for at, seated in enumerate(chain(_shuffled(others, luck) if drawn else others, [None])):
        for meeting in later[at]:
            one, other = meeting.line_ups
            yield other, deals & meeting.early
            yield one, deals - meeting.early
        if seated is not None:
            yield seated, deals


def _shuffled(seated: Iterator[NumberedLineUp], luck: bytes) -> Iterator[NumberedLineUp]:
    """The line-ups in a drawn order. Only so many are shuffled at once as fit into memory."""
    for number in count():
        found = list(islice(seated, _AT_ONCE))
        if not found:
            return
        yield from (found[at] for at in seeds.permutation(seeds.child(luck, str(number)), len(found)))


def first_meetings(seed: bytes, own: OwnDeals, line_ups: LineUps, piece: range) -> list[FirstMeeting]:
    """The line-ups that begin the parts of a piece, in the order of play.

    Every entry has one, if a group of it can have one. The draw of a group depends on the seed, the piece and its names
    alone, so later entries change it for nobody else.
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
    cut = parts(seed, piece)
    return [_meeting(drawn, groups[drawn], cut, entries[drawn]) for drawn in sorted(entries)]


def _meeting(
    drawn: bytes, seated: Sequence[NumberedLineUp], cut: Sequence[Sequence[int]], entries: Set[str]
) -> FirstMeeting:
    one, other = seeds.permutation(seeds.child(drawn, "line-ups"), len(seated))[:2]
    early: set[int] = set()
    for number, part in enumerate(cut):
        half = seeds.permutation(seeds.child(drawn, f"half-{number}"), len(part))[: len(part) // 2]
        early.update(part[at] for at in half)
    return FirstMeeting((seated[one], seated[other]), early, entries)


def _root(seed: bytes) -> bytes:
    return seeds.child(seed, "order of play")


def _deals(root: bytes, line_up: LineUp, piece: range) -> Sequence[int]:
    """All deals of a piece in the order of a line-up."""
    labels = (line_up.table, "+".join(line_up.entries), f"turn-{line_up.rotation}", f"deal-{piece.start}")
    return [piece[at] for at in seeds.permutation(seeds.child(root, *labels), len(piece))]
