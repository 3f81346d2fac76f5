"""A bot for batches that misbehaves in one way: `python start.py ADDRESS HOW [NAME]`. HOW names a function below.

In everything else it is honest, in batches and singly: it chooses the action whose index is the decision's number,
modulo the number of actions. But `breaks_when_losing` plays Agent Avenue: in batches it dies as soon as it is far
behind in one of the matches; singly it chooses otherwise, which gives every match of the batch a second chance.
"""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from referee_bot.v1 import bot_pb2 as pb

from tests.bots.by_hand import Speak, serve

MANY = 1024
HOUR_S = 3600.0
FAR = 3

Rows = list[tuple[int, int, int]]
"""Match, decision and index of each choice."""


def honest(decision: pb.Decision) -> int:
    return decision.number % len(decision.legal)


def rows_of(batch: pb.Batch) -> Rows:
    decisions = [(part.match, part.decision) for part in batch.parts if part.HasField("decision")]
    return [(match, decision.number, honest(decision)) for match, decision in decisions]


def ready_of(batch: pb.Batch) -> list[int]:
    return [part.match for part in batch.parts if part.HasField("match_start")]


def answers(rows: Rows, ready: list[int]) -> pb.BotMessage:
    said = pb.Answers(ready=ready)
    for match, decision, index in rows:
        said.match.append(match)
        said.decision.append(decision)
        said.index.append(index)
    return pb.BotMessage(answers=said)


def right(batch: pb.Batch) -> list[pb.BotMessage]:
    """The honest answers; nothing if nothing is asked."""
    rows, ready = rows_of(batch), ready_of(batch)
    return [answers(rows, ready)] if rows or ready else []


# What it may do when it is asked for decisions.


def answers_in_pieces(batch: pb.Batch) -> list[pb.BotMessage]:
    return [answers([row], []) for row in reversed(rows_of(batch))]


def misses_one(batch: pb.Batch) -> list[pb.BotMessage]:
    return [answers(rows_of(batch)[1:], [])] if rows_of(batch)[1:] else []


def answers_twice(batch: pb.Batch) -> list[pb.BotMessage]:
    return right(batch) * 2


def answers_one_twice(batch: pb.Batch) -> list[pb.BotMessage]:
    rows = rows_of(batch)
    return [answers([*rows[1:], rows[-1]], [])]


def answers_for_another_match(batch: pb.Batch) -> list[pb.BotMessage]:
    (_, number, index), *others = rows_of(batch)
    return [answers([(MANY * MANY, number, index), *others], [])]


def answers_another_decision(batch: pb.Batch) -> list[pb.BotMessage]:
    (match, number, index), *others = rows_of(batch)
    return [answers([(match, number + 1, index), *others], [])]


def chooses_too_high(batch: pb.Batch) -> list[pb.BotMessage]:
    *others, (match, number, _) = rows_of(batch)
    return [answers([*others, (match, number, 99)], [])]


def sends_unequal_columns(batch: pb.Batch) -> list[pb.BotMessage]:
    message = right(batch)[0]
    message.answers.index.pop()
    return [message]


def sends_empty_answers(_batch: pb.Batch) -> list[pb.BotMessage]:
    return [pb.BotMessage(answers=pb.Answers())]


def is_ready_again(batch: pb.Batch) -> list[pb.BotMessage]:
    return [answers([], [match for match, _, _ in rows_of(batch)])]


def chooses_otherwise(batch: pb.Batch) -> list[pb.BotMessage]:
    decisions = [(part.match, part.decision) for part in batch.parts if part.HasField("decision")]
    return [answers([(match, it.number, (it.number + 1) % len(it.legal)) for match, it in decisions], ready_of(batch))]


def answers_singly(batch: pb.Batch) -> list[pb.BotMessage]:
    return [pb.BotMessage(choice=pb.Choice(decision=number, index=index)) for _, number, index in rows_of(batch)]


def dies(_batch: pb.Batch) -> list[pb.BotMessage]:
    sys.stderr.write("too many at once\n")
    sys.stderr.flush()
    os._exit(3)


def says_nothing(_batch: pb.Batch) -> list[pb.BotMessage]:
    return []


STRIKES: dict[str, Callable[[pb.Batch], list[pb.BotMessage]]] = {
    strike.__name__: strike
    for strike in (
        right, answers_in_pieces, misses_one, answers_twice, answers_one_twice, answers_for_another_match,
        answers_another_decision, chooses_too_high, sends_unequal_columns, sends_empty_answers, is_ready_again,
        answers_singly, chooses_otherwise, dies, says_nothing,
    )
}  # fmt: skip


def is_losing(decision: pb.Decision) -> bool:
    """Whether the other side of Agent Avenue is far ahead, or one more agent before a side may end it badly."""
    from referee_bot.v1 import agent_avenue_pb2 as aa  # noqa: PLC0415 - most of these bots need no game

    view = aa.View.FromString(decision.view)
    ours, theirs = view.sides[view.seat], view.sides[1 - view.seat]
    daredevils = list[int](ours.recruited).count(aa.AGENT_DAREDEVIL)
    codebreakers = list[int](theirs.recruited).count(aa.AGENT_CODEBREAKER)
    return theirs.progress - ours.progress >= FAR or max(daredevils, codebreakers) >= 2


def at_second_decisions(how: str, batch: pb.Batch) -> bool:
    """Whether it is time to misbehave: where a match comes to its second decision."""
    return how in STRIKES and any(number == 2 for _, number, _ in rows_of(batch))


# What it may do in one match of eight, in a batch and singly: `dies_in_some`, `hangs_in_some`, `errs_in_some`.


def is_marked(start: pb.MatchStart) -> bool:
    return start.match_id[0] % 8 == 3


def parts_of(message: pb.RefereeMessage) -> list[tuple[int, pb.MatchStart | None, pb.Decision | None]]:
    """By match, the start or the decision in a message; the match of a single message is 0."""
    bodies: list[tuple[int, Any]] = [(part.match, part) for part in message.batch.parts] or [(0, message)]
    return [(match, *asked(body)) for match, body in bodies]


def asked(body: Any) -> tuple[pb.MatchStart | None, pb.Decision | None]:
    start = body.match_start if body.HasField("match_start") else None
    return start, body.decision if body.HasField("decision") else None


class Batcher:
    """The service."""

    def __init__(self, how: str, name: str = "batcher") -> None:
        self._how = how
        self._name = name
        self._last: list[pb.BotMessage] = []
        self._marked: set[int] = set()

    def describe(self, _request: bytes) -> bytes:
        most = {"plays_singly": 1, "says_0": 0, "says_too_many": 1 << 31}.get(self._how, MANY)
        return pb.DescribeResponse(name=self._name, version="1", games=["*"], max_batch=most).SerializeToString()

    def play(self, messages: Iterator[bytes], speak: Speak) -> None:
        for raw in messages:
            message = pb.RefereeMessage.FromString(raw)
            errs = self._meets_a_marked_match(message)
            for said in self._said(message):
                if errs and said.HasField("choice"):
                    said.choice.index = 99
                elif errs:
                    said.answers.index[0] = 99
                speak(said.SerializeToString())

    def _meets_a_marked_match(self, message: pb.RefereeMessage) -> bool:
        """Whether to err in this message; in a match where it dies or hangs, it does that."""
        for match, start, decision in parts_of(message):
            if start is not None:
                self._marked.discard(match)
                if self._how.endswith("_in_some") and is_marked(start):
                    self._marked.add(match)
            elif decision is not None and match in self._marked and decision.number == 2:
                if self._how == "dies_in_some":
                    os._exit(3)
                if self._how == "hangs_in_some":
                    time.sleep(HOUR_S)
                return True
        return False

    def _said(self, message: pb.RefereeMessage) -> Iterator[pb.BotMessage]:
        if message.HasField("batch"):
            if self._how == "breaks_when_losing" and any(is_losing(it) for _, _, it in parts_of(message) if it):
                os._exit(3)
            strikes = at_second_decisions(self._how, message.batch)
            said = STRIKES[self._how](message.batch) if strikes else right(message.batch)
            if self._how == "repeats_an_older_batch" and rows_of(message.batch):
                said, self._last = self._last or said, said
            yield from said
        elif message.HasField("match_start"):
            yield pb.BotMessage(ready=pb.Ready())
        elif message.HasField("decision"):
            decision = message.decision
            index = (honest(decision) + (self._how == "breaks_when_losing")) % len(decision.legal)
            yield pb.BotMessage(choice=pb.Choice(decision=decision.number, index=index))


def main() -> None:
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    address, *about = sys.argv[1:]
    batcher = Batcher(*about)
    serve(address, batcher.describe, batcher.play)
