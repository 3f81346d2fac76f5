"""The sample bot `chat` against an endpoint that does everything that endpoints do."""

import asyncio
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from referee_bot.v1 import bot_pb2 as pb

import referee
from referee.match.conversation import Chosen, Ready
from referee.match.match import Ask, Match, Open
from referee.match.terms import Clock
from referee.wire.messages import encode
from tests.sample_bots.bots import load_module
from tests.sample_bots.mock_endpoint import Body, Reply, endpoint

player, asking = load_module("chat", "player"), load_module("chat", "endpoint")
KEY = "sk-very-secret-0123456789"


def messages(game: str = "agent-avenue", seats: int = 2) -> tuple[pb.MatchStart, list[pb.Decision]]:
    """What seat 0 is sent in a match in which all choose the first action."""
    match = referee.start(game, seats, seed=7)
    played, sent = Match(match.game.rules, match.header, Clock()), []
    for request in played:
        if request.seat == 0:
            sent.append(pb.RefereeMessage.FromString(encode(match.game.codec, played, request)))
        played.reply(Ready() if isinstance(request, Open) else Chosen(0) if isinstance(request, Ask) else None)
    return sent[0].match_start, [each.decision for each in sent if each.HasField("decision")]


START, DECISIONS = messages()
FIRST = DECISIONS[0]


def scripted(*replies: Reply) -> Callable[[Body], Reply]:
    """These replies one after the other, and the last one for ever."""
    left: Iterator[Reply] = iter((*replies[:-1], *[replies[-1]] * 99))
    return lambda _body: next(left)


def answered(
    *replies: Reply, time_left_ms: int = 60_000, key: str | None = KEY, budget: Any = None, **settings: Any
) -> tuple[pb.BotMessage, list[Body]]:
    """What the bot answers to the first decision, and what it asked for."""
    with endpoint(scripted(*replies)) as mock:
        target = asking.Endpoint(mock.address, "model-1", key, {"temperature": 0})
        new = player.Player(START, target, player.Settings(**settings), budget or player.TokenBudget())
        asked = pb.Decision()
        asked.CopyFrom(FIRST)
        asked.time_left_ms = time_left_ms
        return asyncio.run(new.choose(asked)), mock.asked


GOOD = Reply("I think.\nACTION: 2")
BUSY = Reply(raw=b"{}", status=429, headers=(("Retry-After", "0"),))


def test_a_good_answer_is_the_choice_and_is_noted_with_its_tokens() -> None:
    message, asked = answered(GOOD)
    assert (message.choice.decision, message.choice.index) == (1, 2)
    assert (message.choice.note.text, message.choice.note.tries, message.choice.note.tokens) == (GOOD.text, 1, 100)
    system, question = asked[0]["messages"]
    assert "## Black market" not in system["content"]
    assert "# Agent Avenue" in system["content"]
    assert "Your legal actions:" in question["content"]
    assert (asked[0]["model"], asked[0]["temperature"], asked[0]["stream"]) == ("model-1", 0, False)


def test_a_bad_answer_costs_a_try_with_the_reason_and_after_the_last_one_the_choice_is_illegal() -> None:
    message, asked = answered(Reply("dunno"), Reply("ACTION: 99"), Reply("ACTION: 2"), tries=3)
    assert (message.choice.index, message.choice.note.tries, message.choice.note.tokens) == (2, 3, 300)
    assert "'99' is no legal action" in asked[2]["messages"][-1]["content"]
    illegal, asked = answered(Reply("dunno"), tries=2)
    assert illegal.choice.index == len(FIRST.legal)
    assert len(asked) == 2
    assert "dunno" in illegal.choice.note.text


PASSING = {
    "429": BUSY,
    "503": Reply(raw=b"busy", status=503, headers=(("Retry-After", "Thu, 01 Jan 1970 00:00:00 GMT"),)),
    "cut": Reply(raw=b'{"choices"', cut=True),
    "endless": Reply(raw=b"{", drips="fast"),
    "wrong JSON": Reply(raw=b"<html>busy</html>"),
    "another JSON": Reply(raw=b'{"choices": [{"message": "ACTION: 1"}]}'),
    "wrong encoding": Reply(raw='{"choices": [{"message": {"content": "ACTION: 1 é"}}]}'.encode("latin-1")),
}


@pytest.mark.parametrize("trouble", PASSING)
def test_what_may_pass_is_asked_again_within_the_time_and_is_no_try(
    trouble: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "_FIRST_WAIT_S", 0.01)
    message, asked = answered(PASSING[trouble], GOOD)
    assert (message.choice.index, message.choice.note.tries, len(asked)) == (2, 1, 2)


def test_an_endpoint_that_always_says_at_once_is_asked_less_and_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    waits_s: list[float] = []

    async def sleep(wait_s: float) -> None:
        waits_s.append(wait_s)

    monkeypatch.setattr(asking.asyncio, "sleep", sleep)
    message, _ = answered(BUSY, BUSY, BUSY, GOOD)
    assert message.choice.index == 2
    assert waits_s == [asking._FIRST_WAIT_S, 2 * asking._FIRST_WAIT_S, 4 * asking._FIRST_WAIT_S]


LASTING = {
    "401": (Reply(raw=b"no such key", status=401), "status 401"),
    "redirect": (Reply(status=307, headers=(("Location", "http://127.0.0.1:1/"),)), "redirects"),
    "429 for long": (Reply(raw=b"{}", status=429, headers=(("Retry-After", "3600"),)), "status 429"),
    "silence": (Reply(raw=b" ", drips="slow"), "in time"),
}


@pytest.mark.parametrize("trouble", LASTING)
def test_what_does_not_pass_in_time_makes_the_bot_unavailable_and_never_illegal(trouble: str) -> None:
    reply, words = LASTING[trouble]
    message, asked = answered(reply, time_left_ms=300 if words == "in time" else 60_000)
    assert message.unavailable.decision == 1
    assert words in message.unavailable.note.text
    assert len(asked) == 1


@pytest.mark.timeout(20)
def test_an_answer_that_drips_is_no_longer_read_when_its_time_is_over() -> None:
    with endpoint(scripted(Reply(raw=b" ", drips="slow"))) as mock:
        target = asking.Endpoint(mock.address, "model", None, {})
        with pytest.raises(asking.NoAnswer, match="in time"):
            asyncio.run(target.complete([], time.monotonic() + 0.2))  # its end waits for its threads


def test_an_endpoint_that_nobody_runs_makes_the_bot_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "_FIRST_WAIT_S", 60)
    target = asking.Endpoint("http://127.0.0.1:1/v1", "model", KEY, {})
    soon = pb.Decision(number=1, view=FIRST.view, legal=FIRST.legal, time_left_ms=60_000)
    message = asyncio.run(player.Player(START, target, player.Settings(), player.TokenBudget()).choose(soon))
    assert "ConnectionRefusedError" in message.unavailable.note.text


def test_the_key_reaches_the_endpoint_and_no_text_even_if_it_is_sent_back() -> None:
    with endpoint(scripted(Reply(f"You sent {KEY}.\nACTION: 1"))) as mock:
        target = asking.Endpoint(mock.address, "model", KEY, {})
        message = asyncio.run(player.Player(START, target, player.Settings(), player.TokenBudget()).choose(FIRST))
    assert mock.keys == [f"Bearer {KEY}"]
    assert KEY not in str(message)
    assert "[key]" in message.choice.note.text
    assert KEY not in str(mock.asked)


def test_when_the_tokens_of_a_match_or_a_league_are_used_up_the_bot_is_unavailable(tmp_path: Path) -> None:
    message, asked = answered(Reply("dunno"), match_tokens=150)
    assert ("150 tokens of the match" in message.unavailable.note.text, len(asked)) == (True, 2)
    assert (message.unavailable.note.tries, message.unavailable.note.tokens) == (2, 200)
    count = tmp_path / "count"
    answered(GOOD, budget=player.TokenBudget(100, count))
    message, asked = answered(GOOD, budget=player.TokenBudget(100, count))
    assert ("tokens of the league" in message.unavailable.note.text, asked) == (True, [])


def test_tokens_that_the_endpoint_does_not_count_are_estimated() -> None:
    message, asked = answered(Reply("ACTION: 1", tokens=None))
    sent = sum(len(each["content"]) for each in asked[0]["messages"])
    assert sent / 5 < message.choice.note.tokens < sent


@pytest.mark.parametrize("remembers", [True, False])
def test_the_model_sees_its_earlier_decisions_if_it_remembers(remembers: bool) -> None:
    with endpoint(scripted(Reply("hm"), Reply("ACTION: 0"))) as mock:
        target = asking.Endpoint(mock.address, "model", None, {})
        new = player.Player(START, target, player.Settings(remembers=remembers), player.TokenBudget())
        for decision in DECISIONS[:2]:
            asyncio.run(new.choose(decision))
    roles = [each["role"] for each in mock.asked[-1]["messages"]]
    assert roles == ["system", *["user", "assistant"] * remembers, "user"]
    assert mock.keys == [None] * 3


def test_where_only_one_action_is_legal_nobody_is_asked() -> None:
    only = pb.Decision()
    only.CopyFrom(FIRST)
    del only.legal[1:]
    target = asking.Endpoint("http://127.0.0.1:1/v1", "model", None, {})
    new = player.Player(START, target, player.Settings(), player.TokenBudget())
    assert asyncio.run(new.choose(only)).choice.index == 0


@pytest.mark.parametrize("address", ["ftp://x/v1", "x/v1", "https://", "https://me:pw@x/v1"])
def test_an_address_that_is_none_is_refused_without_what_it_may_hide(address: str) -> None:
    with pytest.raises(ValueError, match="no address") as refused:
        asking.Endpoint(address, "model", None, {})
    assert not re.search("pw", str(refused.value))
