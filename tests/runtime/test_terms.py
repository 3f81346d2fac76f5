"""What a bot is entered with reaches its process in every confinement, and nothing else that is run for it."""

from pathlib import Path

import pytest
import uvloop

from referee.core.bot_limits import FolderLimits, Sandbox
from referee.files.bot_folder import Visible
from referee.files.manifest import ManifestError
from referee.match.terms import Clock, EntryTerms
from referee.match.transcript import FaultKind
from referee.runtime.confinement import confinement
from referee.runtime.host import HostSettings
from referee.runtime.local_bot import read_bot
from referee.runtime.table import play_once
from tests.auction import auction_header
from tests.runtime.rogues import ENTRY, PATIENT, bot_that_runs, rogue, run_folder
from tests.runtime.sandbox.boxes import needs_boxes
from tests.runtime.sandbox.needed import needs_landlock

TERMS = EntryTerms(("--depth", "4 5"), {"DEPTH": "4", "EMPTY": "", "python": "x=y"})
KINDS = ["none", pytest.param("bubblewrap", marks=needs_boxes), pytest.param("landlock", marks=needs_landlock)]


async def words_of(folder: Path, sandbox: Sandbox, terms: EntryTerms) -> list[str]:
    """What a bot prints before it ends."""
    with run_folder() as run_dir:
        process = await read_bot(folder, terms=terms).host(
            HostSettings(run_dir, confinement(sandbox), PATIENT.start_ms)
        )
        try:
            await process.ended()
            return (await process.stderr_tail()).splitlines()
        finally:
            await process.kill_now()


@pytest.mark.process
@pytest.mark.parametrize("sandbox", KINDS)
def test_arguments_and_variables_reach_the_bot_and_it_has_no_others(tmp_path: Path, sandbox: Sandbox) -> None:
    bot = bot_that_runs(tmp_path / "bot", "sh", "-c", 'env; for word; do echo "word $word"; done', "sh", "{address}")
    usual, found = (set(uvloop.run(words_of(bot.folder, sandbox, terms))) for terms in (EntryTerms(), TERMS))
    own = {f"{name}={value}" for name, value in TERMS.environment.items()}
    changing = ("REFEREE_ADDRESS=", "TMPDIR=", "word unix:")
    assert {line for line in found - usual if not line.startswith(changing)} == {*own, "word --depth", "word 4 5"}
    assert not {line for line in usual - found if not line.startswith(changing)}


@pytest.mark.parametrize("sandbox", KINDS)
def test_only_the_last_program_before_the_bot_s_own_is_given_the_variables(tmp_path: Path, sandbox: Sandbox) -> None:
    command = ["/bin/bot", "{address}"]
    box = confinement(sandbox).to_play(command, Visible(tmp_path), tmp_path, "unix", TERMS.environment)
    try:
        variables = [f"{name}={value}" for name, value in TERMS.environment.items()]
        assert [*box.command][-6:] == ["env", *variables, "/bin/bot", box.listening.address]
        assert TERMS.environment.keys().isdisjoint(box.environment)
    finally:
        box.close()


def test_an_argument_that_names_something_hidden_is_refused_with_its_place(tmp_path: Path) -> None:
    bot = bot_that_runs(tmp_path / "bot", "sh")
    (bot.folder / ".git").mkdir()
    (bot.folder / ".git" / "weights").touch()
    with pytest.raises(ManifestError) as caught:
        read_bot(bot.folder, FolderLimits(), EntryTerms(("--weights", ".git/weights")))
    (problem,) = caught.value.problems
    assert problem.startswith(f"{bot.folder}: arguments[1]: .git/weights is in a folder that is hidden from bots;")


@pytest.mark.process
def test_a_bot_is_held_to_its_own_clock_and_the_others_to_that_of_the_match(tmp_path: Path) -> None:
    short = EntryTerms(clock=Clock(move_ms=50, start_ms=PATIENT.start_ms))
    bots = [rogue(tmp_path, "honest"), rogue(tmp_path, "hangs").on_terms(short)]
    transcript = uvloop.run(play_once(ENTRY, bots, auction_header(2), PATIENT, confinement("none")))
    assert [(fault.seat, fault.kind) for fault in transcript.record.faults] == [(1, FaultKind.TIMEOUT)]
    assert transcript.terms == (EntryTerms(), short)


@pytest.mark.slow
@pytest.mark.process
def test_a_bot_with_a_clock_of_its_own_has_its_own_time_to_start(tmp_path: Path) -> None:
    hasty = EntryTerms(clock=Clock(start_ms=300))
    bots = [rogue(tmp_path, "honest"), rogue(tmp_path, "never_serves").on_terms(hasty)]
    transcript = uvloop.run(play_once(ENTRY, bots, auction_header(2), PATIENT, confinement("none")))
    (remark,) = transcript.metadata.remarks
    assert (remark.seat, remark.text.partition(";")[0]) == (1, "did not answer Describe within 300 ms")
