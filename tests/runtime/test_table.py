"""A table of real processes over several matches: which start again, which run, what is sent, what is left."""

import asyncio
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec
import pytest
import uvloop

from referee.core import seeds
from referee.core.errors import Void
from referee.core.outcome import FAULT
from referee.files.bot_folder import Visible
from referee.files.manifest import Reach
from referee.match.conversation import Reply
from referee.match.header import header
from referee.match.match import Ask, Match, Request
from referee.match.narrator import Narrator
from referee.match.replay import Replay
from referee.match.terms import Clock
from referee.match.transcript import FaultKind, Transcript
from referee.runtime import table
from referee.runtime.bot_address import NO_VARIABLES
from referee.runtime.confinement import BotBox, Unconfined
from referee.runtime.host import Bot, HostSettings
from referee.runtime.local_bot import LocalBot
from referee.runtime.table import Table
from referee.wire.codec import GameEntry
from referee.wire.messages import encode
from referee.wire.registry import games
from tests.auction import auction_header
from tests.runtime.rogues import (
    ENTRY,
    PATIENT,
    ROGUE,
    Sitting,
    bot_that_runs,
    faults,
    hosting_in,
    members,
    play_one,
    recorded,
    rogue,
    run_folder,
    sit,
)

pytestmark = pytest.mark.process

TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


def test_processes_stay_from_match_to_match_and_end_cleanly(tmp_path: Path) -> None:
    async def play(sitting: Sitting) -> None:
        assert [faults(await sitting.play()) for _ in range(3)] == [[], [], []]
        assert sitting.sessions[0] == sitting.sessions[1] == sitting.sessions[2]
        assert len(sitting.sessions[0]) == 3

    assert sit([rogue(tmp_path, "honest")] * 3, play) == [True, True, True]


def test_a_match_says_how_much_processor_time_each_seat_used_in_it(tmp_path: Path) -> None:
    async def play(sitting: Sitting) -> None:
        used = [(await sitting.play()).processor_us for _ in range(2)]
        assert all(us is not None and 0 < us < 60_000_000 for match in used for us in match)
        for seat, each in zip(sitting.table._seats, zip(*used, strict=True), strict=True):
            assert seat._host is not None
            assert sum(each) <= (seat._host.processor_ns or 0) / 1000

    sit([rogue(tmp_path, "honest")] * 2, play)


def test_after_a_fault_every_process_of_the_match_is_started_anew(tmp_path: Path) -> None:
    async def play(sitting: Sitting) -> None:
        assert faults(await sitting.play()) == [(0, 2, FaultKind.ILLEGAL)]
        assert faults(await sitting.play(rounds=1)) == []
        assert sitting.sessions[0].isdisjoint(sitting.sessions[1])

    sit([rogue(tmp_path, "says_too_high_an_index"), rogue(tmp_path, "honest")], play)


def test_a_bot_that_died_between_matches_is_started_anew_silently(tmp_path: Path) -> None:
    async def play(sitting: Sitting) -> None:
        for transcript in [await sitting.play(), await sitting.play()]:
            assert faults(transcript) == []
            assert transcript.metadata.remarks == ()
        old, new = sitting.sessions
        assert len(new - old) == 1  # in place of the one that died

    sit([rogue(tmp_path, "honest"), rogue(tmp_path, "dies_after_the_end")], play)


def test_a_bot_that_dies_again_when_it_was_started_anew_is_no_start(tmp_path: Path) -> None:
    async def play(sitting: Sitting) -> None:
        assert faults(await sitting.play()) == []
        second = await sitting.play()
        assert faults(second) == [(0, 0, FaultKind.NO_START)]
        assert second.metadata.remarks[0].text.endswith("its process ended with code 7")
        assert second.record.outcome.places == (2, 1)

    sit([rogue(tmp_path, "dies_at_the_second_start"), rogue(tmp_path, "honest")], play)


def counts_its_starts(folder: Path, fails_at: str) -> LocalBot:
    """A bot that notes each start in its folder, ends at once at those of these numbers, and is honest otherwise."""
    script = f'echo >> starts; case $(wc -l < starts) in {fails_at}) exit 3;; esac; exec "$@"'
    return bot_that_runs(folder, "sh", "-c", script, "sh", "{python}", str(ROGUE), "{address}", "honest")


def starts(folder: Path) -> int:
    return len((folder / "starts").read_text().splitlines())


NOT_AGAIN = "; it was not started again, since it had failed to start twice in a row"


def test_a_bot_that_failed_to_start_twice_in_a_row_gets_the_same_fault_without_being_started(tmp_path: Path) -> None:
    told: list[Transcript] = []

    async def play(sitting: Sitting) -> None:
        told.extend([await sitting.play() for _ in range(4)])

    sit([rogue(tmp_path, "honest"), counts_its_starts(tmp_path / "fails", "*")], play)
    assert [faults(transcript) for transcript in told] == [[(1, 0, FaultKind.NO_START)]] * 4
    ended = "ended before it could be called; its process ended with code 3"
    texts = [transcript.metadata.remarks[0].text for transcript in told]
    assert texts == [ended, ended, ended + NOT_AGAIN, ended + NOT_AGAIN]
    assert starts(tmp_path / "fails") == 2


def test_a_start_that_succeeds_begins_the_count_anew(tmp_path: Path) -> None:
    failed: list[bool] = []

    async def play(sitting: Sitting) -> None:
        # The other bot fails in every match, so that both are started again.
        told = [await sitting.play() for _ in range(5)]
        failed.extend((0, 0, FaultKind.NO_START) in faults(transcript) for transcript in told)

    sit([counts_its_starts(tmp_path / "fails", "1|3|4"), rogue(tmp_path, "says_too_high_an_index")], play)
    assert failed == [True, False, True, True, True]
    assert starts(tmp_path / "fails") == 4


@pytest.mark.slow
def test_a_bot_that_is_never_ready_is_waited_for_twice(tmp_path: Path) -> None:
    clock = Clock(start_ms=3_000)
    texts: list[str] = []

    async def play(sitting: Sitting) -> None:
        for _ in range(3):
            transcript = await sitting.play()
            assert (0, 0, FaultKind.NO_START) in faults(transcript)
            texts.append(transcript.metadata.remarks[0].text)

    sit([rogue(tmp_path, "is_never_ready"), rogue(tmp_path, "honest")], play, clock=clock)
    assert [text.endswith(NOT_AGAIN) for text in texts] == [False, False, True]


def test_a_bot_that_dies_of_the_start_of_a_match_is_started_for_every_match(tmp_path: Path) -> None:
    async def play(sitting: Sitting) -> None:
        for _ in range(3):
            assert faults(await sitting.play()) == [(1, 0, FaultKind.NO_START)]
        assert len(sitting.sessions[2]) == 2

    sit([rogue(tmp_path, "honest"), rogue(tmp_path, "dies_at_the_start")], play)


@pytest.mark.parametrize("pondering", [True, False])
@pytest.mark.parametrize("how", ["dies_at_the_start", "dies_when_it_is_called"])
def test_a_bot_that_dies_before_it_was_ever_ready_is_not_started_anew(
    how: str, pondering: bool, tmp_path: Path
) -> None:
    async def play(sitting: Sitting) -> None:
        assert faults(await sitting.play()) == [(1, 0, FaultKind.NO_START)]
        # Both processes are seen when seat 0 is ready. A third one would be seen when seat 1 has failed.
        assert len(sitting.sessions[0]) == 2

    sit([rogue(tmp_path, "honest"), rogue(tmp_path, how)], play, pondering=pondering)


def test_what_a_bot_says_between_matches_costs_it_its_process_and_nothing_else(tmp_path: Path) -> None:
    async def play(sitting: Sitting) -> None:
        assert faults(await sitting.play()) == []
        talker = sitting.leader("speaks_after_the_end")
        while members(talker):
            await asyncio.sleep(0.01)
        assert faults(await sitting.play(rounds=1)) == []
        assert talker not in sitting.sessions[1]

    sit([rogue(tmp_path, "honest"), rogue(tmp_path, "speaks_after_the_end")], play)


def kill_when(sitting: Sitting, how: str, number: int) -> Narrator:
    """Kills a bot as soon as seat 0 has answered its decision of that number."""

    def watch(_match: Match, request: Request, _reply: Reply | None) -> None:
        if isinstance(request, Ask) and (request.seat, request.number) == (0, number):
            os.kill(sitting.leader(how), signal.SIGKILL)

    return watch


def test_a_bot_killed_while_the_other_thinks_crashes_at_its_next_decision(tmp_path: Path) -> None:
    async def play(sitting: Sitting) -> None:
        transcript = await sitting.play(narrator=kill_when(sitting, "honest", 2))
        assert faults(transcript) == [(0, 3, FaultKind.CRASH)]
        assert transcript.metadata.remarks[0].text.endswith("its process was ended by signal 9")
        assert faults(await sitting.play()) == []

    sit([rogue(tmp_path, "honest"), rogue(tmp_path, "thinks")], play)


def test_a_bot_killed_after_its_last_decision_gets_a_remark_and_keeps_its_result(tmp_path: Path) -> None:
    async def play(sitting: Sitting) -> None:
        transcript = await sitting.play(rounds=2, narrator=kill_when(sitting, "honest", 2))
        assert faults(transcript) == []
        assert transcript.record.outcome.ending == "sold"
        (remark,) = transcript.metadata.remarks
        assert (remark.seat, remark.decision) == (0, None)
        assert "signal 9" in remark.text

    sit([rogue(tmp_path, "honest"), rogue(tmp_path, "thinks")], play)


def ticks_while_the_other_thinks(folder: Path, pondering: bool, clock: Clock = PATIENT) -> int:
    """The processor time that a busy bot got while the other seat thought for 300 ms."""
    ticks: list[int] = []

    async def play(sitting: Sitting) -> None:
        def watch(_match: Match, request: Request, _reply: Reply | None) -> None:
            if isinstance(request, Ask) and request.number == 2:
                stat = Path(f"/proc/{sitting.leader('spins')}/stat").read_text().rpartition(")")[2].split()
                ticks.append(int(stat[11]) + int(stat[12]))  # proc(5): utime and stime

        await sitting.play(narrator=watch)

    sit([rogue(folder, "spins"), rogue(folder, "thinks")], play, clock=clock, pondering=pondering)
    before, after = ticks
    return after - before


@pytest.mark.slow
def test_a_bot_gets_no_processor_time_while_another_is_asked_unless_it_may_ponder(tmp_path: Path) -> None:
    assert ticks_while_the_other_thinks(tmp_path, pondering=False) <= 0.02 * TICKS_A_SECOND
    assert ticks_while_the_other_thinks(tmp_path, pondering=True) >= 0.04 * TICKS_A_SECOND


def test_who_ponders_is_stopped_when_the_one_that_is_asked_has_had_a_tenth_of_its_time(tmp_path: Path) -> None:
    brief = Clock(move_ms=500, start_ms=20_000)
    assert ticks_while_the_other_thinks(tmp_path, pondering=True, clock=brief) <= 0.12 * TICKS_A_SECOND


def test_between_matches_nobody_is_stopped_for_a_decision_that_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "_TRUST_NS", 200_000_000)

    async def play(sitting: Sitting) -> None:
        await sitting.play()
        await asyncio.sleep(0.4)
        stats = [Path(f"/proc/{pid}/stat").read_text() for pid in sitting.sessions[-1]]
        assert "T" not in [stat.rpartition(")")[2].split()[0] for stat in stats]  # proc(5): stopped

    sit([rogue(tmp_path, "honest")] * 2, play)


def expected_bytes(entry: GameEntry, transcript: Transcript, seat: int) -> list[bytes]:
    """What the seat must have been sent, from the transcript alone."""
    replay = Replay(entry.game, transcript)
    return [encode(entry.codec, replay.match, step.request) for step in replay.steps() if step.request.seat == seat]


def heard(folder: Path) -> list[bytes]:
    return [bytes.fromhex(line) for line in (folder / "records" / "heard").read_text().splitlines()]


def test_the_replay_of_a_seat_is_byte_for_byte_what_it_was_sent(tmp_path: Path) -> None:
    entry = games()["agent-avenue"]
    folders = [tmp_path / "first", tmp_path / "second"]
    played: list[Transcript] = []

    async def play(sitting: Sitting) -> None:
        game = entry.game
        settled = header(
            game=game.name,
            rules_version=game.rules_version,
            options=msgspec.to_builtins(game.options_type()),
            fixture="test",
            entries=("rogue@1", "rogue@1"),
            root=seeds.from_text("test"),
            deal=0,
        )
        played.append(await sitting.play_game(entry, settled))

    # With a time bank, the time left depends on how long each decision took.
    sit(recorders(folders), play, clock=Clock(move_ms=0, bank_ms=60_000, increment_ms=5, start_ms=20_000))
    assert len(played[0].record.choices) > 5
    for seat, folder in enumerate(folders):
        assert heard(folder) == expected_bytes(entry, played[0], seat)


def recorders(folders: Sequence[Path]) -> list[LocalBot]:
    for folder in folders:
        folder.mkdir()
    return [rogue(folder, "records") for folder in folders]


def test_after_a_fault_the_innocent_seat_was_sent_what_its_replay_shows(tmp_path: Path) -> None:
    transcript = play_one([rogue(tmp_path, "dies"), rogue(tmp_path, "records")])
    *asked, end = expected_bytes(ENTRY, transcript, seat=1)
    assert FAULT.encode() in end
    # Its process is ended at once, so it may have no time to read the end.
    assert heard(tmp_path) in (asked, [*asked, end])


def test_one_table_leaks_nothing_however_often_its_bots_fail(tmp_path: Path) -> None:
    async def play(sitting: Sitting) -> None:
        await sitting.play()
        # What was closed last is released a moment later.
        before = await settled(open_files)
        tasks = len(asyncio.all_tasks())
        for _ in range(10):
            assert faults(await sitting.play()) == [(0, 0, FaultKind.NO_START), (1, 0, FaultKind.NO_START)]
        assert await settled(open_files) <= before
        assert len(asyncio.all_tasks()) == tasks

    sit([bot_that_runs(tmp_path / "false", "false")] * 2, play)


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


async def settled(count: Callable[[], int]) -> int:
    """The count, once it has not changed for a while."""
    last, same = count(), 0
    while same < 5:
        await asyncio.sleep(0.02)
        now = count()
        last, same = now, same + 1 if now == last else 0
    return last


async def play_void(table: Table) -> str:
    """Plays a match that must be void. Returns the reason."""
    with pytest.raises(Void) as caught:
        await table.play(ENTRY, auction_header(), PATIENT)
    return str(caught.value)


def void(bots: Sequence[Bot], run_dir: Path) -> str:
    async def run() -> str:
        return await play_void(Table(bots, hosting_in(run_dir)))

    return uvloop.run(run())


def test_a_missing_folder_for_sockets_is_our_fault(tmp_path: Path) -> None:
    assert "no bot can be started here" in void([rogue(tmp_path, "honest")] * 2, tmp_path / "missing")


def test_a_missing_launcher_is_our_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with run_folder() as run_dir:
        assert "setpriv" in void([rogue(tmp_path, "honest")] * 2, run_dir)


def test_a_path_too_long_for_a_socket_is_our_fault(tmp_path: Path) -> None:
    run_dir = tmp_path / ("x" * 100)
    run_dir.mkdir()
    assert "too long for a socket" in void([rogue(tmp_path, "honest")] * 2, run_dir)


class ForOne(Unconfined, frozen=True):
    """Has room for one bot."""

    taken: Path

    def to_play(
        self,
        command: Sequence[str],
        visible: Visible,
        scratch: Path,
        reach: Reach,
        variables: Mapping[str, str] = NO_VARIABLES,
    ) -> BotBox:
        try:
            self.taken.touch(exist_ok=False)
        except FileExistsError as error:
            raise OSError("no more of them") from error
        return super().to_play(command, visible, scratch, reach, variables)


def test_a_void_start_of_one_seat_ends_the_others_too(tmp_path: Path) -> None:
    async def run(run_dir: Path) -> None:
        hosting = HostSettings(run_dir, ForOne(tmp_path / "taken"), PATIENT.start_ms)
        table = Table([rogue(tmp_path, "honest")] * 2, hosting)
        assert "no more of them" in await play_void(table)
        assert list(run_dir.glob("*.session")) == []
        assert asyncio.all_tasks() == {asyncio.current_task()}

    with run_folder() as run_dir:
        uvloop.run(run(run_dir))


@pytest.mark.parametrize("after_s", [0.0, 0.001, 0.02, 0.2])
def test_nothing_of_the_bots_is_left_if_their_end_is_cancelled(after_s: float, tmp_path: Path) -> None:
    async def run(run_dir: Path) -> None:
        table = Table([rogue(tmp_path, "ignores_sigterm")] * 2, hosting_in(run_dir))
        await table.start()
        sessions = recorded(run_dir)
        ending = asyncio.create_task(table.stop())
        await asyncio.sleep(after_s)
        ending.cancel()
        with pytest.raises(asyncio.CancelledError):
            await ending
        assert asyncio.all_tasks() == {asyncio.current_task()}
        assert recorded(run_dir) == []
        assert [members(session) for session in sessions] == [[], []]

    with run_folder() as run_dir:
        uvloop.run(run(run_dir))
