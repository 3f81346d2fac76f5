"""Matches as a bot receives them are the same decisions as in a Python loop."""

from importlib.metadata import EntryPoint

import pytest
from referee_bot.v1 import bot_pb2

import referee
from referee import words
from referee.match.conversation import Chosen, Ready
from referee.match.match import Ask, Match, Open
from referee.match.terms import Clock
from referee.wire import registry
from referee.wire.json_codec import json_entry
from referee.wire.messages import encode
from tests.kuhn import Kuhn


def sent(match: referee.LocalMatch, choice: int = 0) -> list[bot_pb2.RefereeMessage]:
    """The messages to seat 0, which plays against itself."""
    messages = []
    played = Match(match.game.rules, match.header, Clock())
    for request in played:
        message = bot_pb2.RefereeMessage.FromString(encode(match.game.codec, played, request))
        messages += [message] * (request.seat == 0)
        played.reply(Ready() if isinstance(request, Open) else Chosen(choice) if isinstance(request, Ask) else None)
    return messages


@pytest.mark.parametrize(
    ("game", "seats"),
    [
        ("agent-avenue", 2),
        pytest.param("inside-job", 3, marks=pytest.mark.slow),
        pytest.param("agonia", 2, marks=pytest.mark.slow),
    ],
)
def test_received_decisions_are_those_of_a_match_in_this_process(game: str, seats: int) -> None:
    match = referee.start(game, seats, seed=3)
    start, *decisions = sent(match)
    received = referee.ReceivedMatch(start.match_start)
    assert received.plain_options == match.header.options
    expected = []
    for decision in match:
        expected += [decision] * (decision.seat == 0)
        match.choose(0)
    for message, asked in zip(decisions, expected, strict=False):
        assert received.decision(message.decision) == asked
        assert received.choose(asked, asked.legal[0]) == 0
    assert len(decisions) == len(expected) + 1  # the end


def test_other_rules_than_those_of_the_referee_are_refused() -> None:
    start = sent(referee.start("agent-avenue", 2, seed=3))[0].match_start
    start.rules_version = 9
    with pytest.raises(referee.WrongUse, match="version 9; install the same"):
        referee.ReceivedMatch(start)


def test_a_guest_game_without_a_proto_is_received_and_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_points", lambda: {"kuhn": EntryPoint("kuhn", "", registry.GROUP)})
    monkeypatch.setattr(registry, "_load", lambda _point: json_entry(Kuhn()))
    start, first, *_ = sent(referee.start("kuhn", 2, seed=3))
    received = referee.ReceivedMatch(start.match_start)
    asked = received.decision(first.decision)
    for number, action in enumerate(asked.legal):
        assert words.read(f"ACTION: {number}", asked) == action
    assert "Your legal actions:\n0: " in words.prompt(asked)
    assert received.choose(asked, asked.legal[1]) == 1
