"""What comes through the pipe of a bot, and when: in two worlds that its seat cannot tell apart, each read is the same.

The whole way is real: table, processes and pipes. A read has all that was written until then. So a message that came
too early, in pieces, or together with another shows in what is read, and in how often the bot had answered before.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
import uvloop

from referee.match.conversation import Chosen, Ready
from referee.match.match import Ask, Match, Open
from referee.match.terms import Clock
from referee.runtime.confinement import Unconfined
from referee.runtime.table import play_once
from referee.wire.codec import GameEntry
from tests.conftest import Tell
from tests.golden.tables import GoldenTable
from tests.leaks.comparing import Pair, whole_pairs
from tests.leaks.parameters import every_table
from tests.leaks.proofs import PROOFS, Proof
from tests.leaks.streams import Script, header_of
from tests.leaks.worlds import Course
from tests.leaks.wrapped import Arranged
from tests.runtime.rogues import PATIENT
from tests.runtime.test_line_bots import LINER, line_bot

pytestmark = pytest.mark.process

NOTING = LINER.with_name("noting.py")
ENDS: dict[str, bytes | tuple[bytes, ...]] = {"lines": b"}\n", "flat": (b"\ngo\n", b"\nover\n")}
each_protocol = pytest.mark.parametrize("protocol", ENDS)


def different_pairs(proof: Proof, table: GoldenTable) -> Iterator[Pair]:
    """For every seat a match and another in which something was dealt otherwise, if there is one."""
    return (pair for pair in whole_pairs(proof, table, 1, Random(16)) if pair.exchanged)


def answers(entry: GameEntry, table: GoldenTable, course: Course) -> list[list[str]]:
    """By seat, the lines that lead to a course."""
    match = Match(entry.game, header_of(entry.game, table.options, table.seats), Clock())
    said: list[list[str]] = [["ready"] for _ in range(table.seats)]
    script = Script(entry.game, course.choices)
    for request in match:
        if isinstance(request, Open):
            match.reply(Ready())
        elif isinstance(request, Ask):
            script.is_over(match.state)
            index = script.answer(request)
            assert index is not None
            said[request.seat].append(str(index))
            match.reply(Chosen(index))
    return said


def reads(proof: Proof, pair: Pair, course: Course, protocol: str, folder: Path) -> list[tuple[int, bytes]]:
    """What the seat's bot read in a world: how often it had answered, and the bytes."""
    table = pair.table
    entry = GameEntry(Arranged(proof.entry.game, course.draws).rules, proof.entry.codec)
    bots = []
    for seat, said in enumerate(answers(entry, table, course)):
        place = folder / str(seat)
        place.mkdir(parents=True)
        (place / "script").write_text("".join(f"{line}\n" for line in said))
        words = ("{python}", "-I", "-S", str(NOTING), str(place / "script"), str(place / "notes"))
        bots.append(line_bot(place / "bot", *words, protocol=protocol))
    header = header_of(proof.entry.game, table.options, table.seats)
    transcript = uvloop.run(play_once(entry, bots, header, PATIENT, Unconfined()))
    assert transcript.record.faults == ()
    notes = (folder / str(pair.seat) / "notes").read_text().split("\n")[:-1]
    return [(int(answered), bytes.fromhex(came)) for answered, came in map(str.split, notes)]


def compare(proof: Proof, table: GoldenTable, protocol: str, folder: Path, pairs: int) -> int:
    """Compare what the bots of some seats read. How many reads there were."""
    compared = 0
    for number, pair in zip(range(pairs), different_pairs(proof, table), strict=False):
        worlds = (("first", pair.first), ("second", pair.second))
        first, second = (reads(proof, pair, it, protocol, folder / f"{number}-{name}") for name, it in worlds)
        assert first == second
        # One message at a time, each whole, and none before the last question was answered.
        assert [answered for answered, _ in first] == list(range(len(first)))
        assert all(came.endswith(ENDS[protocol]) for _, came in first)
        kinds = (b'{"type":', b"type ")
        assert all(sum(line.startswith(kinds) for line in came.split(b"\n")) == 1 for _, came in first)
        compared += len(first)
    return compared


@each_protocol
@pytest.mark.parametrize("proof", PROOFS, ids=lambda proof: proof.game)
def test_a_bot_reads_the_same_at_the_same_times_in_a_match_that_its_seat_cannot_tell_from_another(
    proof: Proof, protocol: str, tmp_path: Path
) -> None:
    assert compare(proof, proof.tables[0], protocol, tmp_path, 1)


@pytest.mark.leaks
@each_protocol
@every_table
def test_bots_at_every_table_read_the_same_at_the_same_times(
    proof: Proof, table: GoldenTable, protocol: str, tmp_path: Path, tell: Tell
) -> None:
    compared = compare(proof, table, protocol, tmp_path, table.seats)
    tell(f"{proof.game}/{table.name}, read through pipes as {protocol} in two worlds", {"reads": compared})
    assert compared
