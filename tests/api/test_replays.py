"""Transcripts in files, and matches that are replayed from them."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from referee_bot.v1 import bot_pb2 as pb

import referee
from referee.match.match import Ask
from referee.match.replay import Replay
from referee.wire.messages import encode
from tests.api.players import any_match, anyhow
from tests.cli.command import referee as command


@pytest.fixture
def match() -> referee.LocalMatch:
    return any_match("agent-avenue")


def test_a_replay_puts_the_same_decisions_with_what_was_chosen(match: referee.LocalMatch) -> None:
    again = referee.start("agent-avenue", 2, seed="7")
    asked = []
    for decision in again:
        asked.append((decision, anyhow(decision)))
        again.choose(anyhow(decision))
    replayed = list(referee.replay(match.transcript))
    assert [tuple(each) for each in replayed] == asked
    assert [each.action for each in replayed] == [decision.legal[choice] for decision, choice in asked]


@pytest.mark.parametrize("game", referee.installed_games())
def test_decisions_hold_what_is_sent_over_the_wire(game: str) -> None:
    match = any_match(game)
    codec, walk = match.game.codec, Replay(match.game.rules, match.transcript)
    sent = [
        pb.RefereeMessage.FromString(encode(codec, walk.match, step.request)).decision
        for step in walk.steps()
        if isinstance(step.request, Ask)
    ]
    put = [
        pb.Decision(
            number=decision.number,
            view=codec.view(decision.view),
            legal=map(codec.action, decision.legal),
            events=map(codec.event, decision.heard),
            time_left_ms=message.time_left_ms,
        )
        for (decision, _), message in zip(referee.replay(match.transcript), sent, strict=True)
    ]
    assert put == sent


def test_on_the_way_the_position_and_the_events_are_those_of_the_match(match: referee.LocalMatch) -> None:
    replay = referee.replay(match.transcript)
    told = []
    for decision, _ in replay:
        assert decision.view == replay.game.rules.view(replay.state, decision.seat)
        told.append(len(replay.events))
    assert told == sorted(set(told))
    assert replay.events == match.events
    assert replay.state == match.state


def test_every_loop_begins_at_the_beginning(match: referee.LocalMatch) -> None:
    replay = referee.replay(match.transcript)
    first, *rest = list(replay)
    assert next(iter(replay)) == first
    assert list(replay) == [first, *rest]


def test_where_a_seat_failed_nothing_was_chosen() -> None:
    match = referee.play("agent-avenue", [lambda _: 99, anyhow], seed="7")
    ((decision, choice),) = (each := list(referee.replay(match.transcript)))
    assert (decision.seat, choice, each[0].action) == (0, None, None)


def test_what_is_saved_is_loaded_replayed_and_verified_by_the_command_too(
    match: referee.LocalMatch, tmp_path: Path
) -> None:
    file = tmp_path / "match.json"
    referee.save(match.transcript, file)
    assert referee.load(str(file)) == match.transcript
    assert list(referee.replay(file)) == list(referee.replay(match.transcript))
    assert command("verify", file) == (0, f"{file}: holds\n", "")


def test_a_file_that_was_changed_is_a_difference(match: referee.LocalMatch, tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    referee.save(match.transcript, file)
    file.write_text(file.read_text().replace("player-0", "somebody"))
    with pytest.raises(referee.Difference, match=r"match\.json: its digest is [0-9a-f]{64}, but it claims"):
        referee.load(file)


def test_a_record_that_the_rules_do_not_make_is_a_difference(match: referee.LocalMatch) -> None:
    record = replace(match.transcript.record, outcome=replace(match.outcome, places=(1, 1)))
    replay = referee.replay(replace(match.transcript, record=record))
    with pytest.raises(referee.Difference, match="outcome: recorded"):
        list(replay)


def test_a_transcript_of_a_game_that_is_not_there_is_wrong_use(match: referee.LocalMatch) -> None:
    header = replace(match.header, game="nim")
    record = replace(match.transcript.record, header=header)
    with pytest.raises(referee.WrongUse, match="the game 'nim' is not installed"):
        referee.replay(replace(match.transcript, record=record))


def test_files_that_cannot_be_used_are_wrong_use_in_one_sentence(match: referee.LocalMatch, tmp_path: Path) -> None:
    with pytest.raises(referee.WrongUse, match=r"none\.json: there is no such file$"):
        referee.load(tmp_path / "none.json")
    (tmp_path / "noise.json").write_text("noise")
    with pytest.raises(referee.WrongUse, match=r"noise\.json: is not a transcript: "):
        referee.replay(tmp_path / "noise.json")
    with pytest.raises(referee.WrongUse, match=r"match\.json: the transcript cannot be written: "):
        referee.save(match.transcript, tmp_path / "none" / "match.json")
