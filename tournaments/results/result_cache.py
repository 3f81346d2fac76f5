"""Answers about the results of a league are kept in its store, so that asking again costs nothing.

An answer is kept under a digest of all that it was computed from. So it is given again only while it is right.
"""

import contextlib
from hashlib import sha256
from typing import TypeVar

import msgspec

from tournaments.league.model import League
from tournaments.rating import METHOD
from tournaments.store import Store
from tournaments.store.pinned_league import Pinned

Answer = TypeVar("Answer")

_FORM = 7
"""Raised when the form of answers changes, so that those of an earlier version are replaced."""


def key_of(league: League, pinned: Pinned, store: Store, stored: int, waves: int) -> str:
    """A digest of all data that answers about the league's results are computed from.

    Results are only added, or become void. So their number and the voids identify them, and this reads none of them.

    `league` is as its file is, with the bots of its roster; `stored` counts the matches that are stored, `waves` the
    waves that were issued. The store says what else may change answers: the roster, reinstatements, closed deals.
    """
    parts = [
        _FORM,
        METHOD,
        league,
        pinned,
        stored,
        waves,
        len(store.changes()),
        [(void.fixture, void.counts) for void in store.voids()],
        sorted(store.reinstated().items()),
        store.closing(),
    ]
    return sha256(msgspec.json.encode(parts, order="sorted")).hexdigest()


def decoded(answer: bytes | None, kind: type[Answer]) -> Answer | None:
    """An answer that was kept; None if there is none, or if another version of this program kept it."""
    if answer is not None:
        with contextlib.suppress(ValueError, RecursionError):
            return msgspec.json.decode(answer, type=kind)
    return None
