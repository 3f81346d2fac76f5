"""The bracket of a knock-out, as values and as plain text: a tree where two meet, else a list of the groups.

Names are printed as they are. Long ones are cut, with an ellipsis at the end.
"""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

import msgspec

Reason: TypeAlias = Literal["score", "further", "seed", "author", "walk-over", "changed"]
"""What decided who goes on. `score`: the round's deals. `further`: further deals. `seed`: all were equal.
`author`: all are of one author, so named seeds go on before others, and between these the league's seed decides.
`walk-over`: no more are there than may go on. `changed`: results that counted then; now others count."""


class Contestant(msgspec.Struct, frozen=True):
    """A bot in a round.

    Attributes:
        name: the name of the entry.
        seed: its seed, counted from 1.
        scores: its mean share of the round's matches, then of each further wave of its group; None where none counts.
            Empty if it has a bye.
        on: whether it goes on; in the final, whether it won.
    """

    name: str
    seed: int
    scores: tuple[float | None, ...]
    on: bool


class BracketGroup(msgspec.Struct, frozen=True):
    """Bots that meet.

    Attributes:
        contestants: the best first; those that have left the league last.
        advance: how many go on.
        why: what decided; None if nothing has yet.
    """

    contestants: tuple[Contestant, ...]
    advance: int
    why: Reason | None


class BracketRound(msgspec.Struct, frozen=True):
    """A round.

    Attributes:
        groups: the groups, in the order of their best slots.
        byes: those who go on without playing, in the order of their slots.
    """

    groups: tuple[BracketGroup, ...]
    byes: tuple[Contestant, ...]


class Bracket(msgspec.Struct, frozen=True):
    """A knock-out so far.

    Attributes:
        rounds: the rounds that have begun.
        over: whether there will be no other wave.
        champion: the winner; None if it is not over, or no bot is left.
    """

    rounds: tuple[BracketRound, ...]
    over: bool
    champion: str | None


REASONS: Mapping[Reason | None, str] = MappingProxyType(
    {
        "further": "further deals decided",
        "seed": "equal in all deals; the higher seed goes on",
        "author": "all are of one author; a named seed goes on, or else who is drawn",
        "walk-over": "no more are left than may go on",
        "changed": "decided by results that have changed since",
    }
)
"""What decided a group, if it was not the round's deals."""

_LEAST_COLUMN = 14
"""A column of the tree has room for 6 letters of a name. With many rounds this makes it wider than was asked for."""

_BESIDES = 8
"""How much of a column is not the name: spaces, the score, and the line that leads on."""


def drawn(bracket: Bracket, width: int = 100) -> str:
    """The bracket as lines of text, each with its end.

    No line is longer than `width`, unless there are very many rounds.
    """
    pairs = all(len(group.contestants) == 2 for each in bracket.rounds for group in each.groups)
    if not bracket.rounds:
        lines = ["No round has begun."]
    elif pairs:
        lines = [*_Tree(bracket, width).lines(), *_apart(_notes(bracket, width))]
    else:
        lines = list(_lists(bracket, width))
    all_lines = [*lines, *_apart(_end(bracket))]
    return "".join(f"{line.rstrip()}\n" for line in all_lines)


def _apart(lines: Iterable[str]) -> list[str]:
    """These lines after an empty one, if there are any."""
    found = list(lines)
    return ["", *found] if found else []


def _end(bracket: Bracket) -> Iterator[str]:
    if bracket.champion is not None:
        yield f"{bracket.champion} wins."
    elif bracket.over:
        yield "It is over, and nobody is left."


def _notes(bracket: Bracket, width: int) -> Iterator[str]:
    """A line for each pair that was not decided by the round's deals."""
    room = max(_LEAST_COLUMN - _BESIDES, (width - 60) // 2)
    for number, each in enumerate(bracket.rounds, 1):
        for group in each.groups:
            reason = _reason(group)
            if reason:
                yield f"Round {number}, {' v '.join(_label(one, room) for one in group.contestants)}: {reason}."


def _reason(group: BracketGroup) -> str | None:
    """A note on what decided a group, or what is open, if it was not the round's deals."""
    scores = f", {' : '.join(_score(one.scores[-1]) for one in group.contestants)}" if group.why == "further" else ""
    reason = REASONS.get(group.why)
    return None if reason is None else f"{reason}{scores}"


def _score(score: float | None) -> str:
    return "   -" if score is None else f"{score:.2f}"


def _label(one: Contestant, room: int) -> str:
    """The seed before the name, so that readers can distinguish bots if names are cut."""
    label = f"{one.seed} {one.name}"
    return label if len(label) <= room else f"{label[: room - 1]}…"


def _lists(bracket: Bracket, width: int) -> Iterator[str]:
    """The groups of each round, with their bots."""
    for number, each in enumerate(bracket.rounds, 1):
        for at, group in enumerate(each.groups, 1):
            reason = _reason(group)
            how = f"{group.advance} of {len(group.contestants)} go on"
            yield f"Round {number}, group {at}: {how}; {reason}" if reason else f"Round {number}, group {at}: {how}"
            yield from (_listed(one, width) for one in group.contestants)
        if each.byes:
            yield f"Round {number}, byes: {len(each.byes)}"
            yield from (_listed(one, width) for one in each.byes)


def _listed(one: Contestant, width: int) -> str:
    """The score in the round's deals, then that in the last further ones."""
    scores = "  ".join(map(_score, (*one.scores[:1], *one.scores[1:][-1:]))) or " " * 4
    return f"  {'>' if one.on else ' '} {scores}  {_label(one, width - len(scores) - 6)}"


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
        players = [one for each in bracket.rounds for one in each.byes]
        players += [one for each in bracket.rounds for group in each.groups for one in group.contestants]
        longest = max(len(f"{one.seed} {one.name}") for one in players)
        self._column = max(_LEAST_COLUMN, min(longest + _BESIDES, width // (len(bracket.rounds) + 1)))

    def lines(self) -> list[str]:
        """All of it; more than one part if it is not over."""
        ends = [
            self._end(group, at)
            for at, each in enumerate(self._rounds)
            for group in each.groups
            if at + 1 == len(self._rounds) or not any(one.on for one in group.contestants)
        ]
        rest = [self._rest(one) for one in self._rounds[-1].byes]
        parts = sorted(ends + rest, key=lambda block: block.seed)
        # The first letter is a space on each line.
        return [line[1:] for part in parts for line in [*part.lines, " "]][:-1]

    def _end(self, group: BracketGroup, at: int) -> _Block:
        """A group with the bots that went on from it, in the next column."""
        block = self._group(group, at)
        on = next((self._name(one) for one in group.contestants if one.on), "?" if group.why is None else "nobody")
        block.lines[block.at] += f" {on}"
        return block

    def _rest(self, one: Contestant) -> _Block:
        """The bots with a bye in the last round, with the way up to it."""
        block = self._way(one, len(self._rounds))
        block.lines[block.at] += f" {self._name(one)}"
        return block

    def _group(self, group: BracketGroup, at: int) -> _Block:
        """The two of a group, joined in the column of their round."""
        ways = [(self._way(one, at), one) for one in group.contestants]
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

    def _way(self, one: Contestant, at: int) -> _Block:
        """How a bot came into a round: all columns before it."""
        if not at:
            return _Block([""], 0, one.seed)
        groups = {each.name: group for group in self._rounds[at - 1].groups for each in group.contestants}
        group = groups.get(one.name)
        if group is not None:
            return self._group(group, at - 1)
        before = self._way(one, at - 1)  # it had a bye
        played = bool(before.lines[before.at].strip())
        for row, line in enumerate(before.lines):
            before.lines[row] = line + ("─" if played and row == before.at else " ") * self._column
        return before

    def _cell(self, one: Contestant) -> str:
        score = _score(one.scores[0] if one.scores else None)
        return f" {self._name(one):<{self._column - _BESIDES}} {score} "

    def _name(self, one: Contestant) -> str:
        return _label(one, self._column - _BESIDES)
