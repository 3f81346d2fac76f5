"""The contract of a format: it gives one wave of fixtures after the other.

What hangs on results is decided between waves, from whole waves only. So every run of a league comes to the same
waves, with any number of workers and after any crash.
"""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from tournaments.formats.wave import Wave
from tournaments.model import Fixture, Played

Counted: TypeAlias = Callable[[], Sequence[tuple[Fixture, Played]]]
"""Reads every match that counts, in plan order. It takes a while, so only a format that needs it asks."""


class Format(Protocol):
    """A way to play a league."""

    def wave(self, number: int, counted: Counted) -> Wave | None:
        """The wave of that number, counted from 0; None where the league is over before it.

        Every fixture of the waves before is settled when it is asked for: counted, skipped or abandoned. The same
        question must always have the same answer.
        """
