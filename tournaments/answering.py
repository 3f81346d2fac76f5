"""Answers about the results of a league, kept in its store, so that asking again costs nothing.

An answer is kept under a digest of all that it was computed from. So it is given again only while it is right.
"""

import contextlib
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import TypeAlias, TypeVar

import msgspec

from tournaments.digest import league_digest
from tournaments.model import League
from tournaments.pins import Pinned
from tournaments.rating import METHOD
from tournaments.store import Store

Answer = TypeVar("Answer")

Digests: TypeAlias = Callable[[], Iterable[tuple[str, str]]]
"""Gives each fixture with the digest of its record, sorted by id."""


class Answers:
    """The answers about a league. Who was reinstated and what was void is read when this is made, results later."""

    def __init__(self, league: League, pinned: Pinned, store: Store, digests: Digests) -> None:
        """Be about this league. `digests` is asked when an answer is looked for, and when one is kept."""
        self._store = store
        self._digests = digests
        self._of = [METHOD, league, pinned]
        self._beside = [sorted(store.reinstated()), sorted((void.fixture, void.counts) for void in store.voids())]

    def given(self, question: str, kind: type[Answer], compute: Callable[[], Answer]) -> Answer:
        """The answer that the store kept, if it is still right; else the one computed now, which is then kept."""
        kept = self.recalled(question, kind)
        if kept is not None:
            return kept
        found = compute()
        self._store.keep(question, self._key(), msgspec.json.encode(found))
        return found

    def recalled(self, question: str, kind: type[Answer]) -> Answer | None:
        """The answer that the store kept; None if it has none that is still right."""
        kept = self._store.recall(question, self._key())
        if kept is not None:
            with contextlib.suppress(msgspec.DecodeError):  # it is an answer of another version of this program
                return msgspec.json.decode(kept, type=kind)
        return None

    def _key(self) -> str:
        """A digest of all that answers about the league's results are computed from."""
        parts = [*self._of, league_digest(self._digests()), *self._beside]
        return sha256(msgspec.json.encode(parts, order="sorted")).hexdigest()
