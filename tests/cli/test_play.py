"""`play`, `replay` and `rerun` with real bots. A wrong command is refused before any bot is started."""

import json
import re
import shutil
import signal
import tempfile
import time
from pathlib import Path

import pytest

from referee.games.inside_job.options import ALLOWED
from referee.wire.registry import games
from tests.cli.command import BOTS, UNBOXED, Ended, finish, referee, start
from tests.runtime.test_batches import batcher
from tests.tournaments.arena import alive, starts, write_bot

RANDOM, GREEDY = BOTS / "random", BOTS / "greedy"
FOUR_RANDOM = (RANDOM,) * 4


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("play")


@pytest.fixture(scope="module")
def shown(folder: Path) -> Ended:
    """A match, shown and written to a file, as a page, too."""
    files = ("--out", folder / "match.json", "--html", folder / "match.html")
    return referee("play", "agent-avenue", RANDOM, GREEDY, "--seed", "7", "--show", *files, *UNBOXED)


@pytest.mark.process
def test_the_same_seed_gives_the_same_digest(shown: Ended, folder: Path) -> None:
    out = ("--out", folder / "again.json")
    again = referee("play", "agent-avenue", RANDOM, GREEDY, "--seed", "7", "--json", *out, *UNBOXED)
    assert again.json.keys() == {"digest", "ending", "places", "faults", "transcript", "output"}
    assert shown.out.endswith(f"digest: {again.json['digest']}\n")
    assert sorted(again.json["places"]) == [1, 2]
    assert (again.json["faults"], again.json["transcript"]) == ([], str(folder / "again.json"))


@pytest.mark.process
def test_matches_at_once_are_those_of_their_seeds_played_alone() -> None:
    ended = referee("play", "agent-avenue", RANDOM, GREEDY, "--seed", "7", "--batch", "3", "--json", *UNBOXED)
    assert (ended.code, ended.err) == (0, "")
    assert [match["seed"] for match in ended.json["matches"]] == ["7-1", "7-2", "7-3"]
    alone = referee("play", "agent-avenue", RANDOM, GREEDY, "--seed", "7-2", "--json", *UNBOXED)
    assert ended.json["matches"][1] | {"output": [None, None]} == {"seed": "7-2", **alone.json}


@pytest.mark.parametrize("option", ["--out=match.json", "--html=match.html", "--show"])
def test_what_is_for_one_match_is_refused_for_many(option: str) -> None:
    ended = referee("play", "agent-avenue", RANDOM, GREEDY, "--batch", "2", option)
    told = f"{option.partition('=')[0]} is for one match: leave it out, or leave out --batch\n"
    assert ended == (2, "", told)


@pytest.mark.process
def test_a_bot_that_plays_one_match_at_a_time_is_refused_for_many_by_name(tmp_path: Path) -> None:
    bot = batcher(tmp_path, "plays_singly").place
    ended = referee("play", "agent-avenue", RANDOM, bot, "--batch", "2", "--sandbox", "none")
    told = "batcher@1 plays one match at a time; for more, its answer to Describe must have a max_batch over 1\n"
    assert (ended.code, ended.out, ended.err) == (2, "", told)


@pytest.mark.process
def test_a_bot_that_breaks_the_batch_is_named_and_the_matches_are_played_all_the_same(tmp_path: Path) -> None:
    honest = batcher(tmp_path, "right").place
    other = batcher(tmp_path, "chooses_too_high").place
    broken = referee("play", "agent-avenue", honest, other, "--seed", "1", "--batch", "2", "--sandbox", "none")
    assert broken.code == 0
    assert "the batch was broken by batcher@1 (seat 1): chose index 99 at decision 2" in broken.err
    assert broken.out.count("digest: ") == 2


@pytest.mark.process
def test_replay_tells_exactly_what_was_shown(shown: Ended, folder: Path) -> None:
    assert shown.code == 0
    assert referee("replay", folder / "match.json") == shown


@pytest.mark.process
def test_the_page_of_a_match_is_that_of_its_transcript(shown: Ended, folder: Path) -> None:
    assert shown.code == 0
    assert referee("replay", folder / "match.json", "--html", folder / "again.html").code == 0
    assert (folder / "match.html").read_bytes() == (folder / "again.html").read_bytes()


@pytest.mark.process
def test_rerun_with_the_same_bots_is_the_same_match(shown: Ended, folder: Path) -> None:
    ended = referee("rerun", folder / "match.json", "--json")
    assert ended.code == 0
    assert ended.json["same"]
    assert shown.out.endswith(f"digest: {ended.json['digest']}\n")
    assert referee("verify", folder / "match.json").code == 0


@pytest.mark.process
def test_rerun_with_bots_that_choose_otherwise_names_the_first_difference(shown: Ended, folder: Path) -> None:
    assert shown.code == 0
    other = folder / "other"
    other.mkdir()
    for name in ("bot.py", "bot.toml"):
        (other / name).write_text((RANDOM / name).read_text())
    player = (RANDOM / "player.py").read_text()
    (other / "player.py").write_text(player.replace("self.random.randrange(len(decision.legal))", "0"))
    ended = referee("rerun", folder / "match.json", "--bot", other, "--bot", GREEDY)
    assert ended.code == 1
    assert " of seat 0 (1 of the match): recorded " in ended.out


@pytest.mark.process
def test_rerun_with_another_bot_is_refused(shown: Ended, folder: Path) -> None:
    assert shown.code == 0
    ended = referee("rerun", folder / "match.json", "--bot", RANDOM, "--bot", RANDOM)
    assert ended.code == 2
    assert "this is random@1, but greedy@1 played the match" in ended.err


@pytest.mark.parametrize(
    ("place", "reason"), [("none/match.json", "No such file or directory"), ("", "Is a directory")]
)
@pytest.mark.parametrize(("option", "what"), [("--out", "transcript"), ("--html", "page")])
def test_a_file_that_cannot_be_written_is_one_sentence_before_any_bot_is_started(
    tmp_path: Path, option: str, what: str, place: str, reason: str
) -> None:
    bot = write_bot(tmp_path / "ann", "ann", tmp_path / "log")
    ended = referee("play", "agent-avenue", bot, bot, option, tmp_path / place)
    assert ended == (2, "", f"{tmp_path / place}: the {what} cannot be written: {reason}\n")
    assert not (tmp_path / "log").exists()


@pytest.mark.process
def test_of_a_match_whose_transcript_cannot_be_written_after_all_the_end_is_told() -> None:
    ended = referee("play", "agent-avenue", RANDOM, RANDOM, "--out", "/dev/full", *UNBOXED)
    assert (ended.code, ended.out.splitlines()[-1][:8]) == (2, "digest: ")
    assert ended.err == "/dev/full: the transcript cannot be written: No space left on device\n"


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_a_match_its_bots_and_its_temporary_files(tmp_path: Path, number: signal.Signals) -> None:
    bot, log = write_bot(tmp_path / "slow", "slow", tmp_path / "log", delay_ms=200), tmp_path / "log"
    with tempfile.TemporaryDirectory(prefix="rt-") as scratch:
        process = start(tmp_path, Path(scratch), "play", "agent-avenue", bot, bot, "--sandbox", "none")
        while starts(log, "slow").total() < 2 and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(number)
        ended = finish(process)
        assert (ended.code, ended.out) == (128 + number, "")
        assert "Traceback" not in ended.err
        assert alive(Path(scratch)) == []
        assert list(Path(scratch).iterdir()) == []


@pytest.mark.process
def test_a_bot_that_does_not_start_loses_and_its_last_words_are_shown(folder: Path) -> None:
    broken = folder / "broken"
    broken.mkdir()
    (broken / "bot.toml").write_text((RANDOM / "bot.toml").read_text().replace("random", "broken"))
    ended = referee("play", "agent-avenue", broken, RANDOM)
    assert ended.code == 0
    assert "ending: fault\n1. random@1 (seat 1)\n2. broken@1 (seat 0)\nbroken@1 (seat 0): ended before" in ended.out
    assert "bot.py" in ended.out.partition("    | ")[2]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ("nim", RANDOM, RANDOM),
            f"the game 'nim' is not installed; install its package, or take: {', '.join(games())}",
        ),
        (("agent-avenue", RANDOM), "agent-avenue with these options takes 2 players, not 1"),
        (("agent-avenue", RANDOM, RANDOM, "--option", "mode"), "--option mode: write it as NAME=VALUE"),
        (
            ("agent-avenue", RANDOM, RANDOM, "--option", "mode=x"),
            "--option mode: 'x' is not allowed; allowed: advanced, simple",
        ),
        (
            ("inside-job", *FOUR_RANDOM, "--option", "roles=none,wired"),
            f"--option: roles names 'none', which is no special role; allowed: {ALLOWED}",
        ),
        (
            ("inside-job", *FOUR_RANDOM[:3], "--option", "roles=wired"),
            "inside-job with these options takes 4 or 5 players, not 3",
        ),
        (("agent-avenue", RANDOM, "none"), "none: there is no such folder; a bot is a folder with a bot.toml"),
    ],
)
def test_wrong_use_is_one_sentence(arguments: tuple[str | Path, ...], sentence: str) -> None:
    assert referee("play", *arguments) == (2, "", f"{sentence}\n")


@pytest.mark.parametrize(
    ("pair", "reason"),
    [
        ("decoy,accomplice", "are both neutral"),
        ("decoy,shady", "are both neutral"),
        ("accomplice,shady", "are both neutral"),
        ("wired,accomplice", "both reveal themselves at the start"),
    ],
)
def test_roles_that_cannot_be_played_together_are_refused_with_the_reason(pair: str, reason: str) -> None:
    """IJ-30."""
    code, out, err = referee("play", "inside-job", *FOUR_RANDOM, "--option", f"roles={pair}")
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert reason in err
    assert "leave one of them out" in err


@pytest.mark.process
@pytest.mark.parametrize("bots", [*(pytest.param(few, marks=pytest.mark.slow) for few in (3, 4)), 5])
def test_inside_job_is_played_by_three_to_five(bots: int) -> None:
    options = ["--option", "roles=wired,shady"] if bots > 3 else []
    ended = referee("play", "inside-job", *[RANDOM] * bots, *options, "--seed", "7", "--show", *UNBOXED)
    assert (ended.code, ended.err) == (0, "")
    assert f"seat {bots - 1} is dealt" in ended.out
    assert "\nending: " in ended.out


def test_every_wrong_option_is_named_at_once() -> None:
    ended = referee("play", "agent-avenue", RANDOM, RANDOM, "--option", "mode=x", "--option", "size=3")
    assert ended.code == 2
    assert ended.err == (
        "--option mode: 'x' is not allowed; allowed: advanced, simple\n"
        "--option size: is not known; known here: mode, line_up, ceasefire\n"
    )


def test_a_bot_that_does_not_play_the_game_is_not_asked_to(folder: Path) -> None:
    other = folder / "chess"
    other.mkdir()
    (other / "bot.toml").write_text((RANDOM / "bot.toml").read_text().replace('"*"', '"chess"'))
    ended = referee("play", "agent-avenue", other, RANDOM)
    assert (ended.code, ended.err) == (2, "random@1 does not play agent-avenue; its bot.toml says: chess\n")


@pytest.mark.slow
@pytest.mark.process
def test_the_same_reason_for_two_seats_is_said_once(tmp_path: Path) -> None:
    bot = write_bot(tmp_path / "ann", "ann", tmp_path / "log")
    manifest = (bot / "bot.toml").read_text()
    (bot / "bot.toml").write_text(manifest.replace('games = ["*"]', 'games = ["inside-job"]'))
    refused = referee("play", "agent-avenue", bot, bot)
    assert (refused.code, refused.err) == (2, "ann@1 does not play agent-avenue; its bot.toml says: inside-job\n")


def test_a_bot_is_waited_for_as_long_as_start_ms_says(folder: Path) -> None:
    slow = shutil.copytree(RANDOM, folder / "slow")
    starts_late = ["sh", "-c", 'sleep 1; exec "$0" bot.py', "{python}"]
    toml = (slow / "bot.toml").read_text()
    (slow / "bot.toml").write_text(re.sub(r"^run = .*$", f"run = {json.dumps(starts_late)}", toml, flags=re.MULTILINE))
    played = referee("play", "agent-avenue", slow, slow, "--start-ms", "1", "--out", folder / "hasty.json")
    assert "within 1 ms" in played.out
    again = referee("rerun", folder / "hasty.json", "--start-ms", "20000", "--json")
    assert (again.code, again.json["same"]) == (1, False)
