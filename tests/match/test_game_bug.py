"""Whatever code of a game raises in a match, it is a `GameBug` with the match so far."""

import pickle
from itertools import count
from typing import Any

import msgspec
import pytest

from referee.core.errors import GameBug
from referee.match.conversation import Chosen, Ready
from referee.match.match import Ask, Match, Open
from referee.match.narrator import TextNarrator
from referee.wire.json_codec import JsonCodec
from referee.wire.messages import encode
from tests.auction import CLOCK, Auction, auction_header


class Failing(Auction):
    """One of its methods raises an exception at its second call."""

    def __init__(self, method: str, error: Exception) -> None:
        right, calls = getattr(self, method), count()

        def fails(*arguments: Any) -> Any:
            if next(calls):
                raise error
            return right(*arguments)

        setattr(self, method, fails)


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
        play(Failing(method, KeyError("pot")))
    bug = caught.value
    assert str(bug).startswith("the game auction failed in the match auction/test/7: KeyError: 'pot'; this is a bug")
    again = pickle.loads(pickle.dumps(bug))  # noqa: S301 - it is our own
    assert (str(again), again.match_id, again.played) == (str(bug), bug.match_id, bug.played)


def test_a_bug_has_the_match_so_far() -> None:
    with pytest.raises(GameBug) as caught:
        play(Failing("apply", KeyError("pot")))
    played = msgspec.json.decode(caught.value.played)
    assert played["header"]["game"] == "auction"
    assert [label for label, _ in played["luck"]] == ["purses", "tie/1"]
    assert len(played["choices"]) == 4
    assert "raise error" in "".join(played["traceback"])


def test_a_value_that_cannot_be_sent_is_a_bug_of_the_game() -> None:
    class OffersLists(Auction):
        def legal(self, state: Any, seat: int) -> tuple[Any, ...]:  # noqa: ARG002
            return ([0], [1])

    with pytest.raises(GameBug, match="TypeError: unhashable type: 'list'"):
        play(OffersLists())


def test_a_machine_without_memory_is_no_bug_of_the_game() -> None:
    with pytest.raises(MemoryError):
        play(Failing("apply", MemoryError()))
