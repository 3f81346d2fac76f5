"""Whatever code of a game raises in a match, it is a `GameBug` with the match so far."""

import pickle
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from referee.core.errors import GameBug
from referee.match.conversation import Chosen, Ready
from referee.match.match import Ask, Match, Open
from referee.match.narrator import TextNarrator
from referee.match.replay import Difference, verify
from referee.match.transcript import Choice
from referee.wire.json_codec import JsonCodec
from referee.wire.messages import encode
from tests.auction import CLOCK, Auction, auction_header
from tests.failing_game import SENTENCE, FailingAuction, played


def play(game: Auction) -> None:
    """Play two matches with a narrator, with the messages that bots would get."""
    narrator, codec = TextNarrator(game, lambda _: None), JsonCodec(Auction())
    for _ in range(2):
        match = Match(game, auction_header(2), CLOCK)
        for request in match:
            encode(codec, match, request)
            reply = Chosen(1) if isinstance(request, Ask) else Ready() if isinstance(request, Open) else None
            narrator(match, request, reply)
            match.reply(reply)


@pytest.mark.parametrize(
    "method",
    ["setup", "awaiting", "luck", "legal", "view", "apply", "heard", "describe", "describe_action", "describe_view"],
)
def test_an_exception_of_the_game_is_its_bug_and_can_be_pickled(method: str) -> None:
    with pytest.raises(GameBug) as caught:
        play(FailingAuction().fail(method, after=1))
    bug = caught.value
    assert str(bug) == SENTENCE
    again = pickle.loads(pickle.dumps(bug))  # noqa: S301 - it is our own
    assert (str(again), again.match_id, again.played) == (str(bug), bug.match_id, bug.played)


def test_a_bug_has_the_match_so_far() -> None:
    with pytest.raises(GameBug) as caught:
        play(FailingAuction().fail("apply", after=1))
    match = msgspec.json.decode(caught.value.played)
    assert match["header"]["game"] == "auction"
    assert [label for label, _ in match["luck"]] == ["purses", "tie/1"]
    assert len(match["choices"]) == 4
    assert "raise error" in "".join(match["traceback"])


def test_a_value_that_cannot_be_sent_is_a_bug_of_the_game() -> None:
    class OffersLists(Auction):
        def legal(self, state: Any, seat: int) -> tuple[Any, ...]:  # noqa: ARG002
            return ([0], [1])

    with pytest.raises(GameBug, match="TypeError: unhashable type: 'list'"):
        play(OffersLists())


@pytest.mark.parametrize("method", ["seats", "setup", "awaiting", "luck", "legal", "apply"])
def test_a_rule_that_raises_while_a_match_is_verified_is_a_bug_of_the_game(method: str) -> None:
    with pytest.raises(GameBug, match="KeyError: 'pot'"):
        verify(FailingAuction().fail(method), played())


def test_a_record_that_departs_from_the_rules_is_no_bug_of_the_game() -> None:
    transcript = played()
    wrong = replace(transcript.record, choices=(Choice(1, 99), *transcript.record.choices[1:]))
    with pytest.raises(Difference):
        verify(Auction(), replace(transcript, record=wrong))


def test_a_machine_without_memory_is_no_bug_of_the_game() -> None:
    with pytest.raises(MemoryError):
        play(FailingAuction().fail("apply", MemoryError(), after=1))
