"""A game of another package whose code fails when a test says so."""

from importlib.metadata import EntryPoint
from itertools import count
from typing import Any

import pytest

from referee.match.conversation import Chosen, Ready
from referee.match.match import Ask, Match, Open
from referee.match.transcript import Transcript
from referee.wire import registry
from referee.wire.json_codec import json_entry
from tests.auction import CLOCK, Auction, auction_header


class FailingAuction(Auction):
    """An auction. After `fail` a method of it raises an exception."""

    def fail(self, method: str, error: Exception | None = None, after: int = 0) -> "FailingAuction":
        """Let a method raise an exception, `KeyError: 'pot'` if none is given, after so many right calls."""
        right, calls = getattr(self, method), count()

        def fails(*arguments: Any) -> Any:
            if next(calls) >= after:
                raise error or KeyError("pot")
            return right(*arguments)

        setattr(self, method, fails)
        return self


SENTENCE = "the game auction failed in the match auction/test/7: KeyError: 'pot'; this is a bug of the game"


def install(monkeypatch: pytest.MonkeyPatch) -> FailingAuction:
    """The game as the registry gives it, as long as the test takes."""
    game, right, points = FailingAuction(), registry._load, registry._points()
    entry, point = json_entry(game), EntryPoint(game.name, "tests.failing_game:game", registry.GROUP)
    monkeypatch.setattr(registry, "_points", lambda: {**points, game.name: point})
    monkeypatch.setattr(registry, "_load", lambda asked: entry if asked is point else right(asked))
    return game


def played() -> Transcript:
    """A match of the game, played before it fails."""
    match = Match(Auction(), auction_header(2), CLOCK)
    for request in match:
        match.reply(Chosen(1) if isinstance(request, Ask) else Ready() if isinstance(request, Open) else None)
    return match.transcript()
