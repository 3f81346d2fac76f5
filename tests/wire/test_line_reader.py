"""Programs that know the types of the games read lines: each gives the message of the protocol that says the same."""

import pytest
from referee_bot.v1 import bot_pb2

from referee.core.errors import WrongUse
from referee.games.agonia.box.cards import in_full, jammed_by, number_of, turn_begins
from referee.match.conversation import SeatQuestion
from referee.wire.dialects import GRPC, LINES
from referee.wire.line_reader import LineReader, answer_line
from referee.wire.registry import games
from tests.games.kits import KITS
from tests.wire.test_dialects import requests


@pytest.mark.parametrize("game", [name for name in games() if name in KITS])
def test_a_line_and_the_message_of_the_protocol_say_the_same(game: str) -> None:
    codec, reader = games()[game].codec, LineReader()
    kinds = set()
    for match, request in requests(game):
        told = bot_pb2.RefereeMessage.FromString(GRPC.encode(codec, match, request))
        kinds.add(told.WhichOneof("body"))
        assert reader.message(LINES.encode(codec, match, request)) == told
    assert kinds == {"match_start", "decision", "match_end"}


@pytest.mark.parametrize("card", [1, 7, jammed_by(3, 2), turn_begins(jammed_by(jammed_by(3, 2), 4), 4)])
def test_a_card_in_full_says_which_it_is(card: int) -> None:
    assert number_of(in_full(card)) == card


@pytest.mark.parametrize("line", [b"", b"{", b"[]", b'{"type":"start","game":"chess"}', b'{"type":"decide"}'])
def test_a_line_that_cannot_be_read_is_one_clear_error(line: bytes) -> None:
    with pytest.raises(WrongUse):
        LineReader().message(line)


@pytest.mark.parametrize(
    "message",
    [
        bot_pb2.BotMessage(ready=bot_pb2.Ready()),
        bot_pb2.BotMessage(choice=bot_pb2.Choice(decision=3, index=0)),
        bot_pb2.BotMessage(
            choice=bot_pb2.Choice(decision=3, index=2, note=bot_pb2.Note(text="é\n", tries=2, tokens=9))
        ),
        bot_pb2.BotMessage(unavailable=bot_pb2.Unavailable(decision=3, note=bot_pb2.Note(text="no model"))),
    ],
)
def test_an_answer_in_a_line_means_the_same(message: bot_pb2.BotMessage) -> None:
    line = answer_line(message)
    assert line.count(b"\n") == 1
    question = SeatQuestion(0 if message.HasField("ready") else 3, 5)
    assert LINES.parse(line, question) == GRPC.parse(message.SerializeToString(), question)
