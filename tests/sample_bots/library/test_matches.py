"""The messages of `Play`: each match has a player of its own, singly and in batches."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from referee_bot.calls import CallFailed
from referee_bot.matches import PlayStream, PythonBot, choose_one_by_one, description
from referee_bot.v1 import bot_pb2 as pb


class Counting:
    """Chooses by how often it was asked before."""

    def __init__(self, start: pb.MatchStart) -> None:
        self.asked = start.seat

    def choose(self, decision: pb.Decision) -> int:
        self.asked += 1
        return (self.asked - 1) % len(decision.legal)


def begun() -> PlayStream[Counting]:
    return PlayStream(Counting, choose_one_by_one)


def answer(matches: PlayStream[Any], message: pb.RefereeMessage) -> pb.BotMessage | None:
    octets = matches.answer(message.SerializeToString())
    return None if octets is None else pb.BotMessage.FromString(octets)


def decision(number: int) -> pb.Decision:
    return pb.Decision(number=number, legal=[b"a", b"b", b"c"])


def test_a_match_is_answered_message_by_message_and_the_next_has_a_new_player() -> None:
    matches = begun()
    for seat in (0, 1):
        ready = answer(matches, pb.RefereeMessage(match_start=pb.MatchStart(seat=seat)))
        assert ready == pb.BotMessage(ready=pb.Ready())
        for number in (1, 2):
            choice = answer(matches, pb.RefereeMessage(decision=decision(number)))
            assert choice == pb.BotMessage(choice=pb.Choice(decision=number, index=seat + number - 1))
        assert answer(matches, pb.RefereeMessage(match_end=pb.MatchEnd(ending="caught"))) is None


class Changing:
    """A number that is counted on in its place, as a tensor may be."""

    def __init__(self) -> None:
        self.number = -1

    def __index__(self) -> int:
        self.number += 1
        return self.number


def test_an_index_that_is_no_int_counts_as_it_is_when_it_is_chosen() -> None:
    index: Any = Changing()
    matches = PlayStream(lambda start: start.seat, lambda _asked: [index])
    answer(matches, pb.RefereeMessage(match_start=pb.MatchStart()))
    for expected in (0, 1):
        said = answer(matches, pb.RefereeMessage(decision=decision(7)))
        assert said == pb.BotMessage(choice=pb.Choice(decision=7, index=expected))


def test_what_a_later_protocol_sends_is_not_answered() -> None:
    assert begun().answer(b"\xc0\x3e\x07") is None
    assert begun().answer(b"") is None


@pytest.mark.slow
@given(st.lists(st.sets(st.integers(1, 6), min_size=1), max_size=6))
def test_in_batches_every_match_makes_the_choices_that_it_makes_alone(asked: list[set[int]]) -> None:
    matches, numbers = begun(), dict.fromkeys(range(1, 7), 0)
    start = pb.Batch(parts=[pb.Part(match=match, match_start=pb.MatchStart(seat=match % 3)) for match in numbers])
    ready = answer(matches, pb.RefereeMessage(batch=start))
    assert ready == pb.BotMessage(answers=pb.Answers(ready=list(numbers)))
    for some in asked:
        for match in some:
            numbers[match] += 1
        parts = [pb.Part(match=match, decision=decision(numbers[match])) for match in sorted(some)]
        said = answer(matches, pb.RefereeMessage(batch=pb.Batch(parts=parts)))
        assert said is not None
        assert list(said.answers.match) == sorted(some)
        assert list(said.answers.decision) == [numbers[match] for match in sorted(some)]
        assert list(said.answers.index) == [(match % 3 + numbers[match] - 1) % 3 for match in sorted(some)]
    ends = pb.Batch(parts=[pb.Part(match=match, match_end=pb.MatchEnd()) for match in numbers])
    assert answer(matches, pb.RefereeMessage(batch=ends)) is None


def test_all_decisions_of_a_message_are_chosen_together_with_their_players() -> None:
    seen: list[list[tuple[int, int]]] = []

    def choose_all(asked: object) -> list[int]:
        seen.append([(player, decision.number) for player, decision in asked])  # type: ignore[attr-defined]
        return [2] * len(seen[-1])

    matches = PlayStream(lambda start: start.seat, choose_all)
    matches.answer(pb.RefereeMessage(match_start=pb.MatchStart(seat=4)).SerializeToString())
    single = matches.answer(pb.RefereeMessage(decision=decision(9)).SerializeToString())
    assert pb.BotMessage.FromString(single or b"").choice.index == 2
    parts = [pb.Part(match=match, match_start=pb.MatchStart(seat=match)) for match in (1, 2)]
    matches.answer(pb.RefereeMessage(batch=pb.Batch(parts=parts)).SerializeToString())
    parts = [pb.Part(match=match, decision=decision(1)) for match in (2, 1)]
    matches.answer(pb.RefereeMessage(batch=pb.Batch(parts=parts)).SerializeToString())
    assert seen == [[(4, 9)], [(2, 1), (1, 1)]]


def test_an_error_of_a_player_is_told_whole_on_stderr_and_ends_the_call(capsys: pytest.CaptureFixture[str]) -> None:
    class Stuck(Counting):
        def choose(self, decision: pb.Decision) -> int:  # noqa: ARG002 - it does not come so far
            raise ValueError("I cannot think")

    play = PythonBot(b"", Stuck, choose_one_by_one).play(1)
    play(pb.RefereeMessage(match_start=pb.MatchStart()).SerializeToString())
    with pytest.raises(CallFailed) as error:
        play(pb.RefereeMessage(decision=decision(1)).SerializeToString())
    assert (error.value.code, str(error.value)) == ("unknown", "ValueError: I cannot think")
    told = capsys.readouterr().err
    assert told.startswith("Traceback")
    assert 'raise ValueError("I cannot think")' in told


def test_streams_share_no_player() -> None:
    bot = PythonBot(b"", Counting, choose_one_by_one)
    first, second = bot.play(1), bot.play(1)
    first(pb.RefereeMessage(match_start=pb.MatchStart()).SerializeToString())
    with pytest.raises(CallFailed):
        second(pb.RefereeMessage(decision=decision(1)).SerializeToString())


def test_a_bot_says_who_it_is_whatever_it_is_asked() -> None:
    bot = PythonBot(description("ada", "7", ["agent-avenue"]), Counting, choose_one_by_one)
    said = pb.DescribeResponse.FromString(bot.describe(b"\xff\xff"))
    assert (said.name, said.version, list(said.games)) == ("ada", "7", ["agent-avenue"])
    assert (said.protocol_minor, said.max_parallel, said.max_batch) == (2, 1, 1024)


def test_a_bot_that_needs_time_says_how_many_matches_it_can_play_at_once() -> None:
    assert pb.DescribeResponse.FromString(description("ada", "7", ["agent-avenue"], 4)).max_batch == 4
