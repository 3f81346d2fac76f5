"""Caches of earlier messages change no byte of later ones, whichever seat received them."""

import gc
from collections.abc import Iterator
from functools import _lru_cache_wrapper, cache
from typing import Any

import pytest

from referee.match.match import Match, Request
from referee.wire.messages import encode
from referee.wire.registry import games
from tests.golden.tables import TABLES, GoldenTable
from tests.wire.matches import random_match

EVERY_TABLE = [(game, table) for game, tables in TABLES.items() for table in tables]
MOST = 65_536
LEAST = 20
OF_THE_BOX = 200
"""More than there are kinds of messages, or of cards with their jams; these are kept without a bound."""


@cache
def all_kept() -> list["_lru_cache_wrapper[Any]"]:
    """All caches in `referee.wire`. To look through all objects takes long."""
    assert all(games().values())  # so that the modules of every game are loaded
    gc.unfreeze()  # what was collected at the start of the tests is not listed otherwise
    caches = [thing for thing in gc.get_objects() if isinstance(thing, _lru_cache_wrapper)]
    gc.freeze()
    return [each for each in caches if each.__module__.startswith("referee.wire.") and each is not games]


def sent(game: str, requests: list[tuple[Match, Request]]) -> Iterator[bytes]:
    for match, request in requests:
        yield encode(games()[game].codec, match, request)


def encoded_anew(game: str, requests: list[tuple[Match, Request]]) -> Iterator[bytes]:
    things = all_kept()
    assert len(things) > LEAST
    for each in requests:
        for thing in things:
            thing.cache_clear()
        yield from sent(game, [each])


@pytest.mark.slow
@pytest.mark.parametrize(("game", "table"), EVERY_TABLE, ids=lambda it: getattr(it, "name", it))
def test_a_message_is_the_same_with_all_that_is_kept_of_other_seats_and_matches(game: str, table: GoldenTable) -> None:
    others = [each for n in range(2) for each in random_match(game, table.options, table.seats, f"other {n}")]
    list(sent(game, others))
    requests = list(random_match(game, table.options, table.seats, "this one"))
    with_others_kept = list(sent(game, requests))
    assert list(sent(game, requests)) == with_others_kept
    assert list(encoded_anew(game, requests[:40:4])) == with_others_kept[:40:4]


def test_what_is_kept_is_bounded() -> None:
    for each in all_kept():
        each.cache_clear()  # other tests may have packed what no match has
    for game, table in EVERY_TABLE:
        list(sent(game, list(random_match(game, table.options, table.seats, "bounded"))))
    found = {f"{each.__module__}.{each.__qualname__}": each.cache_info() for each in all_kept()}
    assert len(found) > LEAST
    assert {name for name, info in found.items() if (info.maxsize or 0) > MOST} == set()
    boundless = {name: info.currsize for name, info in found.items() if info.maxsize is None}
    assert {name for name, size in boundless.items() if size > OF_THE_BOX} == set()
