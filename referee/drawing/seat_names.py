"""Names of players in the sentences of a game, which calls them "seat 0" and sides "side 1".

Readers count seats from 1, where one is named by its number.
"""

import re
from collections import Counter
from collections.abc import Sequence

from referee.core.outcome import Seat, Side
from referee.drawing.svg import plain

_LONGEST = 28
"""A sentence has so many characters of a name."""

_MOST = 100
"""So many characters of a name are read: a name can be foreign text of any length."""

_PERSON = "person"
"""The version of everybody who plays through a page."""

_NUMBERED = re.compile(r"\b(seats?|side) (\d{1,2})(?: and (\d{1,2}))?\b")


def bot_in_words(entry: str) -> str:
    """An entry, `name+label@version`, as pages and pictures write it: name, label and version. A person has none."""
    labelled, _, version = entry.partition("@")
    name, _, label = labelled.partition("+")
    return f"{name}{f' ({label})' if label else ''}{f' v{version}' if version and version != _PERSON else ''}"


class SeatNames:
    """What sentences call the players and the sides of a match."""

    def __init__(self, entries: Sequence[str], sides: Sequence[Side]) -> None:
        """`entries` are by seat, foreign text; `sides` are those that are fixed before play."""
        self._seats = _short(entries)
        self._sides = [self._seats[side.seats[0]] if len(side.seats) == 1 else f"side {side.name}" for side in sides]

    def of(self, seat: Seat) -> str:
        """What sentences call a seat."""
        return self._seats[seat]

    def put_into(self, words: str) -> str:
        """The words, with names in the place of the numbers of seats and sides: "seat 0", "seats 0 and 2", "side 1"."""
        return _NUMBERED.sub(self._named, words)

    def _named(self, match: re.Match[str]) -> str:
        kind, first, second = match.groups()
        names = self._sides if kind == "side" else self._seats
        numbers = [int(number) for number in (first, second) if number is not None]
        if max(numbers) >= len(names) or (second is not None and kind != "seats"):
            return match[0] if second is None else f"{self.put_into(f'{kind} {first}')} and {second}"
        return " and ".join(names[number] for number in numbers)


def _short(entries: Sequence[str]) -> tuple[str, ...]:
    """The names, without their versions and shortened where they still differ; equal ones with their seats."""
    names = [entry[:_MOST] for entry in entries]
    bare = _cut([plain(bot_in_words(name.partition("@")[0])) for name in names])
    if len(set(bare)) < len(set(names)):
        bare = _cut([plain(bot_in_words(name)) for name in names])
    often = Counter(bare)
    return tuple(name if often[name] == 1 else f"{name} (seat {seat + 1})" for seat, name in enumerate(bare))


def _cut(names: Sequence[str]) -> list[str]:
    """Of a long name, its beginning and its end: names often differ at the end only."""
    return [name if len(name) <= _LONGEST else f"{name[: _LONGEST // 2]}…{name[1 - _LONGEST // 2 :]}" for name in names]
