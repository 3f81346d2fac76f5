"""`verify` and `replay`, with transcripts that were made in this process and with all that can be wrong with them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.match.header import single
from referee.match.terms import Clock
from referee.match.transcript import Transcript, from_file, to_file
from referee.wire.registry import games
from tests.cli.command import GAME, header, referee
from tests.tournaments.fakes import draws, fails, play_in_process


@pytest.fixture
def transcript() -> Transcript:
    return play_in_process(GAME, header(), Clock(), (draws, draws))


@pytest.fixture
def file(tmp_path: Path, transcript: Transcript) -> Path:
    (tmp_path / "match.json").write_bytes(to_file(transcript))
    return tmp_path / "match.json"


def changed(file: Path, change: Callable[[Any], None], *, digest: bool = True) -> Path:
    """The transcript with a change in its JSON. With `digest`, it also gets a new digest that fits the change."""
    whole = json.loads(file.read_bytes())
    change(whole["record"])
    file.write_text(json.dumps(whole))
    if digest:
        transcript, _ = from_file(file.read_bytes())
        file.write_bytes(to_file(transcript))
    return file


def test_what_was_played_holds(file: Path) -> None:
    assert referee("verify", file) == (0, f"{file}: holds\n", "")


def test_verify_as_json(file: Path) -> None:
    assert referee("verify", file, "--json").json == [{"file": str(file), "holds": True, "difference": None}]


def test_a_match_that_a_fault_cut_short_holds(file: Path) -> None:
    file.write_bytes(to_file(play_in_process(GAME, header(), Clock(), (draws, fails))))
    assert referee("verify", file).code == 0


def test_a_record_that_does_not_match_its_digest_is_named(file: Path, transcript: Transcript) -> None:
    ended = referee("verify", changed(file, lambda record: record["choices"].pop(), digest=False))
    assert ended.code == 1
    assert f"but it claims {transcript.digest}" in ended.out


def test_the_first_difference_is_named_for_each_file_and_the_others_hold(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_bytes(file.read_bytes())
    ended = referee("verify", changed(file, lambda record: record["choices"].pop()), other)
    first, second = ended.out.splitlines()
    assert ended.code == 1
    assert first.startswith(f"{file}: the record ends before decision")
    assert second == f"{other}: holds"


def test_luck_that_the_seed_does_not_give_is_named(file: Path) -> None:
    ended = referee("verify", changed(file, lambda record: record["luck"][0][1].reverse()))
    assert ended.code == 1
    assert "draw 1 (deck) is recorded otherwise than the seed gives it" in ended.out


def test_rules_that_are_not_known_are_said_to_be(file: Path) -> None:
    ended = referee("verify", changed(file, lambda record: record["header"].update(rules_version=99)))
    assert ended.code == 2
    assert ended.err == (
        f"{file}: the transcript is of rules version 99 of agent-avenue, but only version 1 is known here; "
        "use the referee that played it\n"
    )


@pytest.mark.parametrize("older", [1, 2, 3, 4])
def test_a_match_of_agonia_by_rules_of_an_older_version_is_refused_in_one_sentence(tmp_path: Path, older: int) -> None:
    """Version 1 read AG-52 in another way, 2 rolled for each enemy by itself, 3 let enemies step aside onto tokens.

    In version 4 nobody chose where to start.
    """
    entries = ("one@1", "two@1")
    game = games()["agonia"].game
    played = play_in_process(game, single(game, game.options_type(), entries, "7"), Clock(), (draws, draws))
    (tmp_path / "match.json").write_bytes(to_file(played))
    assert referee("verify", tmp_path / "match.json").out.endswith("holds\n")
    file = changed(tmp_path / "match.json", lambda record: record["header"].update(rules_version=older))
    ended = referee("verify", file)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == (
        f"{file}: the transcript is of rules version {older} of agonia, but only version 5 is known here; "
        "use the referee that played it\n"
    )


def test_a_game_that_is_not_installed_is_wrong_use(file: Path) -> None:
    ended = referee("verify", changed(file, lambda record: record["header"].update(game="nim")))
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == f"{file}: the game 'nim' is not installed; install its package, or take: {', '.join(games())}\n"


def test_a_header_with_impossible_options_is_a_difference(file: Path) -> None:
    ended = referee("verify", changed(file, lambda record: record["header"].update(options={"mode": "x"})))
    assert ended.code == 1
    assert "the header does not describe a match of agent-avenue" in ended.out


@pytest.mark.parametrize("command", ["verify", "replay", "rerun"])
def test_a_file_that_is_no_transcript_or_not_there_is_wrong_use(command: str, tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text('{"digest": 3}')
    ended = referee(command, tmp_path / "other.json")
    assert ended.code == 2
    assert "other.json: is not a transcript" in ended.err
    assert referee(command, tmp_path / "none.json") == (
        2,
        "",
        f"{tmp_path / 'none.json'}: there is no such file\n",
    )


def test_a_file_that_cannot_be_read_does_not_hide_what_was_found_of_others(file: Path, tmp_path: Path) -> None:
    none, other = tmp_path / "none.json", tmp_path / "other.json"
    other.write_bytes(file.read_bytes())
    changed(other, lambda record: record["choices"].pop())
    ended = referee("verify", none, file, other)
    assert ended.code == 2
    assert ended.err == f"{none}: there is no such file\n"
    assert [line.partition(": ")[0] for line in ended.out.splitlines()] == [str(file), str(other)]
    listed = referee("verify", file, none, "--json")
    assert (listed.code, [each["holds"] for each in listed.json]) == (2, [True, None])
    assert listed.json[1]["difference"] == "there is no such file"


def test_replay_tells_the_match_from_opening_to_digest(file: Path, transcript: Transcript) -> None:
    lines = referee("replay", file).out.splitlines()
    assert lines[:3] == ["agent-avenue (line_up 1v1, mode simple)", "seat 0: random@1", "seat 1: greedy@1"]
    assert sum(line.startswith("> seat ") for line in lines) == len(transcript.record.choices)
    assert lines[-4].startswith("ending: ")
    assert lines[-1] == f"digest: {transcript.digest}"


def test_replay_tells_a_fault_in_the_words_of_the_time(file: Path) -> None:
    file.write_bytes(to_file(play_in_process(GAME, header(), Clock(), (draws, fails))))
    assert "> seat 1 fails (illegal): chose index 9 at decision 1" in referee("replay", file).out


def test_replay_of_a_seat_shows_its_messages_and_nothing_else(file: Path, transcript: Transcript) -> None:
    ended = referee("replay", file, "--seat", "1")
    assert ended.out.count("  answered: ") == transcript.decisions[1]
    assert "seen by seat 0" not in ended.out
    assert ended.out.splitlines()[0] == "MatchStart"


def test_replay_as_json_has_the_bytes_that_were_sent(file: Path, transcript: Transcript) -> None:
    messages = referee("replay", file, "--seat", "0", "--json").json
    assert [message["message"] for message in messages] == [
        "MatchStart",
        *["Decision"] * transcript.decisions[0],
        "MatchEnd",
    ]
    assert {message["seat"] for message in messages} == {0}
    assert [message["answer"] for message in messages[1:-1]] == [
        choice.index for choice in transcript.record.choices if choice.seat == 0
    ]
    assert all(bytes.fromhex(message["bytes"]) for message in messages)


@pytest.mark.parametrize("seat", ["2", "9"])
def test_replay_of_a_seat_that_is_not_there_is_wrong_use(file: Path, seat: str) -> None:
    ended = referee("replay", file, "--seat", seat)
    assert (ended.code, ended.err) == (2, f"there is no seat {seat}; this match has seats 0 to 1\n")


def test_replay_of_a_record_that_breaks_the_rules_ends_at_the_difference(file: Path) -> None:
    ended = referee("replay", changed(file, lambda record: record["choices"].pop()))
    assert ended.code == 1
    assert ended.err.startswith(f"{file}: the record ends before decision")


@pytest.mark.parametrize(
    ("change", "digest", "sentence"),
    [
        (lambda record: record["header"].update(rules_version=99), True, "the transcript is of rules version 99 of"),
        (lambda record: record["outcome"].update(ending="other"), True, "outcome: recorded "),
        (lambda record: record["choices"].pop(), False, "its digest is "),
    ],
)
def test_rerun_plays_nothing_if_the_recorded_match_does_not_hold(
    file: Path, change: Callable[[Any], None], digest: bool, sentence: str
) -> None:
    ended = referee("rerun", changed(file, change, digest=digest), "--bot", "/nowhere", "--bot", "/nowhere")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(f"{file}: it cannot be compared with another match: {sentence}")


def test_rerun_without_known_bots_asks_for_them(file: Path) -> None:
    ended = referee("rerun", file)
    assert (ended.code, ended.err) == (2, "the match has 2 seats; name as many bots with --bot, by seat\n")


def test_a_transcript_keeps_what_it_holds_on_its_way_through_a_file(transcript: Transcript) -> None:
    assert from_file(to_file(transcript)) == (transcript, transcript.digest)
    assert msgspec.json.decode(to_file(transcript))["digest"] == transcript.digest


@pytest.mark.parametrize("entries", [[], ["one@1"], ["one@1", "two@1", "three@1"]])
def test_a_match_of_more_or_fewer_players_than_the_game_has_does_not_hold(file: Path, entries: list[str]) -> None:
    ended = referee("verify", changed(file, lambda record: record["header"].update(entries=entries)))
    assert ended.code == 1
    assert ended.out.endswith(f": it has {len(entries)} entries, and with these options 2 play\n")


def test_a_page_and_a_picture_are_written_and_nothing_is_printed(file: Path, tmp_path: Path) -> None:
    page, picture = tmp_path / "match.html", tmp_path / "match.svg"
    assert referee("replay", file, "--html", page, "--svg", picture) == (0, "", "")
    assert page.read_text().startswith("<!doctype html>")
    assert picture.read_text().startswith("<svg ")


def test_a_picture_is_of_the_step_that_is_named_and_otherwise_of_the_last(file: Path, tmp_path: Path) -> None:
    picture = tmp_path / "match.svg"

    def drawn(*more: str) -> str:
        assert referee("replay", file, "--svg", picture, *more).code == 0
        return picture.read_text()

    assert drawn("--step", "0") != drawn("--step", "3") != drawn()
    assert "<title>before the match</title>" in drawn("--step", "0")
    assert " wins</text>" in drawn()


def test_the_page_and_the_picture_of_a_seat_name_no_other_player(file: Path, tmp_path: Path) -> None:
    for option, name in (("--html", "match.html"), ("--svg", "match.svg")):
        assert referee("replay", file, "--seat", "1", option, tmp_path / name).code == 0
        assert "random@1" not in (tmp_path / name).read_text()  # of the page's recording tests/drawing/ takes care
        assert "greedy@1" in (tmp_path / name).read_text()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--step", "3"], "--step names the step of a picture; give --svg OUT, too"),
        (["--svg", "OUT", "--step", "999"], "there is no step 999; this match has steps 0 to"),
        (["--svg", "OUT", "--step", "-1"], "there is no step -1; this match has steps 0 to"),
        (["--svg", "OUT", "--json"], "ask for one of these: --json, --as, --to, or files"),
        (["--html", "no/such/folder/x.html"], "no/such/folder/x.html: the page cannot be written: No such file"),
        (["--svg", "/dev/full"], "/dev/full: the picture cannot be written: No space left on device"),
    ],
)
def test_a_page_or_picture_that_cannot_be_drawn_is_one_sentence(
    file: Path, tmp_path: Path, options: list[str], sentence: str
) -> None:
    ended = referee("replay", file, *(str(tmp_path / "x") if it == "OUT" else it for it in options))
    assert ended.code == 2
    assert ended.err.startswith(sentence)
    assert ended.err.count("\n") == 1


def test_a_match_that_does_not_hold_is_not_drawn(file: Path, tmp_path: Path) -> None:
    wrong = changed(file, lambda record: record["choices"].pop())
    ended = referee("replay", wrong, "--html", tmp_path / "match.html")
    assert ended.code == 1
    assert "the record ends before decision" in ended.err
    assert not (tmp_path / "match.html").exists()


@pytest.mark.parametrize("seat", [-1, 9])
def test_a_remark_about_a_seat_that_is_not_there_is_about_nobody(file: Path, seat: int) -> None:
    whole = json.loads(file.read_bytes())
    whole["aside"]["remarks"] = [{"seat": seat, "decision": None, "text": "late", "stderr": ""}]
    file.write_text(json.dumps(whole))
    ended = referee("replay", file)
    assert (ended.code, ended.err) == (0, "")
    assert f"nobody (seat {seat}): late\n" in ended.out
