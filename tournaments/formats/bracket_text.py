"""The bracket of a knock-out as plain text: a tree where two meet, else a list of the groups.

Names are printed as they are. Long ones are cut, with an ellipsis at the end.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tournaments.formats.bracket import Bracket, Contestant, Group

_LEAST_COLUMN = 16
"""A column of the tree has room for 8 letters of a name. With many rounds this makes it wider than was asked for."""

_BESIDES = 8
"""How much of a column is not the name: spaces, the score, and the line that leads on."""


def drawn(bracket: Bracket, width: int = 100) -> str:
    """The bracket as lines of text, each with its end.

    Args:
        bracket: the bracket.
        width: of the text, in characters; kept to unless there are very many rounds.
    """
    pairs = all(len(group.contestants) == 2 for each in bracket.rounds for group in each.groups)
    lines = _Tree(bracket, width).lines() if pairs else list(_lists(bracket, width))
    told = [*lines, "", *_notes(bracket), *_end(bracket)] if lines else ["No round has begun."]
    return "".join(f"{line.rstrip()}\n" for line in told)


def _end(bracket: Bracket) -> Iterator[str]:
    if bracket.champion is not None:
        yield f"{bracket.champion} wins."
    elif bracket.over:
        yield "It is over, and nobody is left."


def _notes(bracket: Bracket) -> Iterator[str]:
    """A line for each group that was not decided by the round's deals."""
    for number, each in enumerate(bracket.rounds, 1):
        for group in each.groups:
            reason = _reason(group)
            if reason:
                yield f"Round {number}, {' v '.join(one.name for one in group.contestants)}: {reason}."


def _reason(group: Group) -> str | None:
    further = ", ".join(
        " : ".join(map(_score, wave)) for wave in zip(*(one.scores[1:] for one in group.contestants), strict=True)
    )
    match group.why:
        case "further":
            return f"decided by further deals, {further}"
        case "seed":
            return (
                f"equal, also in further deals, {further}; the higher seed goes on"
                if further
                else "equal; the higher seed goes on"
            )
        case "walk-over":
            return "no more are left than go on"
        case "changed":
            return "decided by results that have changed since"
        case _:
            return f"equal so far, further deals {further}" if further else None


def _score(score: float | None) -> str:
    return "   -" if score is None else f"{score:.2f}"


def _fitted(name: str, room: int) -> str:
    return name if len(name) <= room else f"{name[: room - 1]}…"


def _lists(bracket: Bracket, width: int) -> Iterator[str]:
    """Round by round, who was in which group."""
    for number, each in enumerate(bracket.rounds, 1):
        for at, group in enumerate(each.groups, 1):
            yield f"Round {number}, group {at}: {group.advance} of {len(group.contestants)} go on"
            yield from (_listed(one, width) for one in group.contestants)
        if each.byes:
            yield f"Round {number}, byes: {', '.join(each.byes)}"


def _listed(one: Contestant, width: int) -> str:
    scores = "  ".join(map(_score, one.scores))
    name = _fitted(one.name, width - len(scores) - 16)
    return f"  {'>' if one.on else ' '} {scores}  {name} (seed {one.seed})"


class _Block(NamedTuple):
    """A part of the tree.

    Attributes:
        lines: equally long.
        at: the line on which it leads on.
        seed: the highest seed in it.
    """

    lines: list[str]
    at: int
    seed: int


class _Tree:
    """Draws a tree in columns, one a round. Those who meet are above each other, the higher seed's part above."""

    def __init__(self, bracket: Bracket, width: int) -> None:
        self._rounds = bracket.rounds
        self._seeds = {
            one.name: one.seed for each in bracket.rounds for group in each.groups for one in group.contestants
        }
        longest = max(map(len, self._seeds), default=0)
        self._column = max(_LEAST_COLUMN, min(longest + _BESIDES, width // (len(bracket.rounds) + 1)))

    def lines(self) -> list[str]:
        """All of it; more than one part if it is not over."""
        ends = [
            self._end(group, at)
            for at, each in enumerate(self._rounds)
            for group in each.groups
            if at + 1 == len(self._rounds) or not any(one.on for one in group.contestants)
        ]
        rest = [self._rest(name) for name in (self._rounds[-1].byes if self._rounds else ())]
        parts = sorted(ends + rest, key=lambda block: block.seed)
        # The first letter is a space on each line.
        return [line[1:] for part in parts for line in [*part.lines, " "]][:-1]

    def _end(self, group: Group, at: int) -> _Block:
        """A group with who went on from it, in the next column."""
        block = self._group(group, at)
        on = next((one.name for one in group.contestants if one.on), "?" if group.why is None else "nobody")
        block.lines[block.at] += f" {self._name(on)}"
        return block

    def _rest(self, name: str) -> _Block:
        """Who has a bye in the last round, with the way up to it."""
        block = self._way(name, len(self._rounds))
        block.lines[block.at] += f" {self._name(name)}"
        return block

    def _group(self, group: Group, at: int) -> _Block:
        """The two of a group, joined in the column of their round."""
        ways = [(self._way(one.name, at), one) for one in group.contestants]
        (above, first), (below, second) = sorted(ways, key=lambda way: way[0].seed)
        length = at * self._column
        lines = [*above.lines, " " * length, *below.lines]
        start, end = above.at, len(above.lines) + 1 + below.at
        middle = (start + end) // 2
        for row, line in enumerate(lines):
            if row in {start, end}:
                cell = self._cell(first) + "┐" if row == start else self._cell(second) + "┘"
            else:
                cell = " " * (self._column - 1) + ("├" if row == middle else "│" if start < row < end else " ")
            lines[row] = line + cell
        return _Block(lines, middle, min(above.seed, below.seed))

    def _way(self, name: str, at: int) -> _Block:
        """How a bot came into a round: all columns before it."""
        if not at:
            return _Block([""], 0, self._seeds.get(name, 0))
        group = next((group for group in self._rounds[at - 1].groups if _has(group, name)), None)
        if group is not None:
            return self._group(group, at - 1)
        before = self._way(name, at - 1)  # it had a bye
        played = bool(before.lines[before.at].strip())
        for row, line in enumerate(before.lines):
            before.lines[row] = line + ("─" if played and row == before.at else " ") * self._column
        return before

    def _cell(self, one: Contestant) -> str:
        score = _score(one.scores[0] if one.scores else None)
        return f" {self._name(one.name):<{self._column - _BESIDES}} {score} "

    def _name(self, name: str) -> str:
        return _fitted(name, self._column - _BESIDES)


def _has(group: Group, name: str) -> bool:
    return any(one.name == name for one in group.contestants)
