"""What a replay shows of one seat is what this seat was sent: all messages, byte for byte, in order, with faults."""

from pathlib import Path
from random import Random

import msgspec
import pytest
import uvloop

from referee.core import seeds
from referee.files.transcripts import write_transcript
from referee.match.conversation import Answer, Ready, Reply
from referee.match.header import header
from referee.match.match import Request
from referee.match.replay import Replay
from referee.match.terms import Clock
from referee.match.transcript import Header, Transcript
from referee.runtime.confinement import Unconfined
from referee.runtime.table import play_once
from referee.wire.messages import encode
from tests.cli.command import referee
from tests.golden.tables import GoldenTable
from tests.leaks.parameters import every_table
from tests.leaks.proofs import PROOFS, Proof
from tests.match.simulation import NOISE, Says, Simulation
from tests.runtime.rogues import PATIENT, rogue

HURRIED = Clock(move_ms=60, bank_ms=4_000, increment_ms=3)


def header_of(proof: Proof, table: GoldenTable, number: int, entry: str = "bot@1") -> Header:
    game = proof.entry.game
    return header(
        game=game.name,
        rules_version=game.rules_version,
        options=msgspec.to_builtins(table.options),
        fixture=f"replays/{table.name}/{number}",
        entries=(entry,) * table.seats,
        root=seeds.from_text(str(number)),
        deal=0,
    )


class Tapped(Simulation):
    """A match in virtual time, in which one seat fails in one way.

    Attributes:
        sent: what every seat was sent.
        unsent: the last message of a seat that had failed before it could be sent.
    """

    def __init__(self, proof: Proof, table: GoldenTable, number: int) -> None:
        super().__init__(proof.entry.game, header_of(proof, table, number), HURRIED, self._behave_by_lot)
        self.sent: list[list[str]] = [[] for _ in range(table.seats)]
        self.unsent: list[list[str]] = [[] for _ in range(table.seats)]
        self._codec = proof.entry.codec
        self._rng = Random(number)
        self._fails_at = self._rng.randrange(table.seats), self._rng.randrange(3)
        self._how = number % 6

    def _carry_out(self, request: Request) -> Reply | None:
        kept = self.unsent if self._talks[request.seat].latched else self.sent
        kept[request.seat].append(encode(self._codec, self._match, request).hex())
        return super()._carry_out(request)

    def _behave_by_lot(self, seat: int, decision: int, legal: int) -> Says:
        """All think for different times. `_how` says whether a seat is late, dies, errs, or speaks out of turn."""
        delay_ms = self._rng.randrange(1, 40)
        answer = Answer(decision, self._rng.randrange(legal)) if decision else Ready()
        if (seat, decision) != self._fails_at:
            return Says((answer,), delay_ms)
        return (
            Says((answer,), delay_ms),
            Says(),
            Says(delay_ms=delay_ms, dies=True),
            Says((NOISE,), delay_ms),
            Says((answer, NOISE), delay_ms),
            Says((answer,), delay_ms, dies=True),
        )[self._how]


def replayed(proof: Proof, transcript: Transcript) -> list[list[str]]:
    """By seat, what a replay shows that it was sent."""
    walk = Replay(proof.entry.game, transcript)
    shown: list[list[str]] = [[] for _ in transcript.record.header.entries]
    for step in walk.steps():
        shown[step.request.seat].append(encode(proof.entry.codec, walk.match, step.request).hex())
    return shown


@every_table
def test_a_replay_shows_what_each_seat_was_sent_and_what_it_was_too_late_to_send(
    proof: Proof, table: GoldenTable
) -> None:
    faults, late = set[str](), 0
    for number in range(6):
        live = Tapped(proof, table, number)
        transcript = live.play()
        assert replayed(proof, transcript) == [sent + rest for sent, rest in zip(live.sent, live.unsent, strict=True)]
        assert all(len(rest) <= 1 for rest in live.unsent)
        faults.update(fault.kind for fault in transcript.record.faults)
        late += any(live.unsent)
    assert faults >= {"timeout", "crash", "protocol"}
    assert late


@pytest.mark.process
@pytest.mark.parametrize(
    ("proof", "last"),
    [*((proof, "records") for proof in PROOFS), (PROOFS[-1], "says_too_high_an_index")],
    ids=lambda it: it if isinstance(it, str) else it.game,
)
def test_the_command_replay_shows_the_bytes_that_a_bot_received(proof: Proof, last: str, tmp_path: Path) -> None:
    table = proof.tables[0]
    hows = ["records"] * (table.seats - 1) + [last]
    folders = [tmp_path / str(seat) for seat in range(table.seats)]
    for folder in folders:
        folder.mkdir()
    bots = [rogue(folder, how) for folder, how in zip(folders, hows, strict=True)]
    of_the_match = header_of(proof, table, 1, "rogue@1")
    transcript = uvloop.run(play_once(proof.entry, bots, of_the_match, PATIENT, Unconfined()))
    file = tmp_path / "match.json"
    write_transcript(file, transcript)
    for seat, how in enumerate(hows):
        if how == "records":
            shown = [message["bytes"] for message in referee("replay", file, "--seat", str(seat), "--json").json]
            received = (folders[seat] / how / "heard").read_text().splitlines()
            # After a fault all bots are ended at once, perhaps before they have read the last message.
            assert received in ([shown, shown[:-1]] if transcript.record.faults else [shown])
    assert len(transcript.record.faults) == (last != "records")
