"""The matches of one stream of `Play`: each has a player, which is made at its start and forgotten at its end."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import index as as_integer
from typing import Final, Generic, Protocol, TypeVar

from referee_bot.calls import Answer, CallFailed
from referee_bot.v1 import bot_pb2 as pb

PROTOCOL_MINOR: Final = 2
"""The minor version of the protocol that this package speaks."""

MAX_BATCH: Final = 1024
"""The most matches that the protocol allows at once on a stream."""

_SINGLE: Final = 0
"""The number of a match outside of batches. In a batch, numbers begin with 1."""


class MatchPlayer(Protocol):
    """The player of one seat for one match."""

    def choose(self, decision: pb.Decision, /) -> int:
        """The index of the chosen action in `decision.legal`."""


T = TypeVar("T")
P = TypeVar("P", bound=MatchPlayer)

NewPlayer = Callable[[pb.MatchStart], T]
"""Makes the player of a match from its start."""

ChooseAll = Callable[[Sequence[tuple[T, pb.Decision]]], Sequence[int]]
"""Decides for several matches at once: from each player and its decision to the index of each chosen action."""


def choose_one_by_one(decisions: Sequence[tuple[P, pb.Decision]]) -> list[int]:
    """What each player chooses."""
    return [player.choose(decision) for player, decision in decisions]


class PlayStream(Generic[T]):
    """The matches of one stream."""

    def __init__(self, new_player: NewPlayer[T], choose_all: ChooseAll[T]) -> None:
        """Begin without any match."""
        self._new_player = new_player
        self._choose_all = choose_all
        self._players: dict[int, T] = {}

    def answer(self, message: bytes) -> bytes | None:
        """The answer to a message; None if it needs none.

        Raises:
            CallFailed: a player raised an exception. Its traceback goes to stderr.
        """
        try:
            return self._answer(pb.RefereeMessage.FromString(message))
        except Exception as error:
            import traceback  # noqa: PLC0415 - a bot that makes no mistakes starts sooner without it

            traceback.print_exc()
            raise CallFailed("unknown", traceback.format_exception_only(error)[-1].strip()) from error

    def _answer(self, received: pb.RefereeMessage) -> bytes | None:
        body = received.WhichOneof("body")
        if body == "decision":
            decision = received.decision
            (index,) = self._choose_all([(self._players[_SINGLE], decision)])
            return _choice(decision.number, as_integer(index))  # it may be a number of NumPy, or even change later
        if body == "match_start":
            self._players[_SINGLE] = self._new_player(received.match_start)
            return pb.BotMessage(ready=pb.Ready()).SerializeToString()
        return self._answer_batch(received.batch) if body == "batch" else None

    def _answer_batch(self, batch: pb.Batch) -> bytes | None:
        ready: list[int] = []
        matches: list[int] = []
        decisions: list[tuple[T, pb.Decision]] = []
        for part in batch.parts:
            body = part.WhichOneof("body")
            if body == "decision":
                matches.append(part.match)
                decisions.append((self._players[part.match], part.decision))
            elif body == "match_start":
                self._players[part.match] = self._new_player(part.match_start)
                ready.append(part.match)
            elif body == "match_end":
                del self._players[part.match]
        if not decisions and not ready:
            return None
        numbers = [decision.number for _, decision in decisions]
        indices = self._choose_all(decisions) if decisions else []
        answers = pb.Answers(match=matches, decision=numbers, index=indices, ready=ready)
        return pb.BotMessage(answers=answers).SerializeToString()


@lru_cache(1024)  # there are few different choices, and every match has the same ones
def _choice(number: int, index: int) -> bytes:
    return pb.BotMessage(choice=pb.Choice(decision=number, index=index)).SerializeToString()


class PythonBot(Generic[T]):
    """What the referee calls: the `BotMethods` of a bot."""

    def __init__(self, description: bytes, new_player: NewPlayer[T], choose_all: ChooseAll[T]) -> None:
        """Answer `Describe` with `description`."""
        self._description = description
        self._new_player = new_player
        self._choose_all = choose_all

    def describe(self, _request: bytes) -> bytes:
        """Say who the bot is. A later referee may say more of itself in its request, which changes nothing."""
        return self._description

    def play(self, _number: int) -> Answer:
        """Begin a stream. An error of a player ends it."""
        return PlayStream(self._new_player, self._choose_all).answer


def description(name: str, version: str, games: Sequence[str], max_batch: int = MAX_BATCH) -> bytes:
    """The answer to `Describe`."""
    message = pb.DescribeResponse(
        name=name,
        version=version,
        games=games,
        protocol_minor=PROTOCOL_MINOR,
        max_parallel=1,
        max_batch=max_batch,
    )
    return message.SerializeToString()
