"""Many matches at once: what processes are asked, that matches are those of single play, and what breaks a batch."""

import asyncio
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from itertools import count
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
import uvloop
from hypothesis import given, settings
from hypothesis import strategies as st
from referee_bot.v1 import bot_pb2 as pb

from referee.core.errors import Busy
from referee.core.outcome import Seat
from referee.match.conversation import Answered, Batch, Chosen, Failed, Ready, Reply
from referee.match.match import Ask, Match, Open
from referee.match.terms import Clock
from referee.match.transcript import FaultKind, Header, Record, Transcript
from referee.runtime import batches
from referee.runtime.batches import Batches, BatchFailed
from referee.runtime.local_bot import LocalBot, read_sources
from referee.runtime.table import Table
from referee.wire.codec import GameEntry
from referee.wire.dialects import GRPC
from tests.auction import auction_header
from tests.runtime.rogues import ENTRY, MANIFEST, PATIENT, hosting_in, run_folder

BATCHER = Path(__file__).parents[1] / "bots" / "batcher" / "start.py"
SHORT = Clock(move_ms=300, start_ms=120_000)


class Given:
    """Matches that are all known from the beginning, or become known one by one."""

    def __init__(self, headers: Iterable[Header], known: Callable[[], bool] = lambda: True) -> None:
        self._headers = deque(headers)
        self._known = known

    def waiting(self) -> Header | None:
        return self.next() if self._known() else None

    def next(self) -> Header | None:
        return self._headers.popleft() if self._headers else None


def headers(number: int, seats: int = 2) -> list[Header]:
    return [auction_header(seats=seats, seed=seed, rounds=3 + seed % 3) for seed in range(number)]


class unordered(list[Any]):  # noqa: N801 - it reads as a word
    """Equal to every list of the same things."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, list) and sorted(map(repr, self)) == sorted(map(repr, other))

    __hash__ = None


def singly(header: Header) -> Record:
    """The record of the same match, played by honest bots one decision after the other."""
    match = Match(ENTRY.game, header, PATIENT)
    for request in match:
        if isinstance(request, Open):
            match.reply(Ready())
        elif isinstance(request, Ask):
            match.reply(Chosen(request.number % len(request.legal)))
        else:
            match.reply(None)
    return match.transcript().record


class PaperTable:
    """A table without processes: its bots are honest, and it records all their messages.

    Attributes:
        sent: the batches, each with its seat, oldest first.
        limits_ms: the time for each of them.
    """

    def __init__(self, seats: int, answer: Callable[[Batch], Reply] | None = None) -> None:
        self.bots = range(seats)
        self.dialect = lambda _seat: GRPC
        self.sent: list[tuple[Seat, pb.Batch]] = []
        self.limits_ms: list[int] = []
        self._answer = answer or honest

    def match(self, entry: GameEntry, header: Header, clock: Clock) -> Match:
        return Match(entry.game, header, clock)

    def transcript(self, match: Match) -> Transcript:
        return match.transcript()

    def start_ms(self, _seat: Seat) -> int:
        return PATIENT.start_ms

    async def ask(self, seat: Seat, question: Batch, message: bytes, limit_ms: int) -> tuple[Reply, int, int]:
        self._hear(seat, message)
        self.limits_ms.append(limit_ms)
        return self._answer(question), 1_000 * len(question), 3_000 * len(question)

    async def tell(self, seat: Seat, message: bytes) -> None:
        self._hear(seat, message)

    def _hear(self, seat: Seat, message: bytes) -> None:
        self.sent.append((seat, pb.RefereeMessage.FromString(message).batch))

    def kinds(self) -> list[Counter[str | None]]:
        """By batch, what its parts are."""
        return [Counter(part.WhichOneof("body") for part in batch.parts) for _, batch in self.sent]


def honest(questions: Batch) -> Reply:
    replies: dict[int, Ready | Chosen] = {}
    for match, question in questions.open.items():
        replies[match] = Chosen(question.decision % question.legal) if question.decision else Ready()
    return Answered(replies)


def play(table: PaperTable | Table, size: int, supply: Given, entry: GameEntry = ENTRY) -> list[Transcript]:
    async def all_of_them() -> list[Transcript]:
        playing = Batches(cast("Table", table), entry, PATIENT, size).play(supply)
        return [transcript async for transcript in playing]

    return asyncio.run(all_of_them())


@settings(max_examples=settings().max_examples * 2)
@given(st.integers(2, 4), st.integers(2, 9), st.integers(0, 25), st.lists(st.booleans(), max_size=60))
def test_all_matches_are_played_as_they_are_singly_however_they_come(
    seats: int, size: int, count: int, known: list[bool]
) -> None:
    table, given_headers = PaperTable(seats), headers(count, seats)
    known_now = iter(known)
    found = play(table, size, Given(given_headers, lambda: next(known_now, True)))
    records = {transcript.record.header.deal_seed: transcript.record for transcript in found}
    assert records == {header.deal_seed: singly(header) for header in given_headers}
    for transcript in found:  # a start and each decision take 3 ms
        assert transcript.processor_us == tuple(3_000 * (asked + 1) for asked in transcript.decisions)


def test_no_more_matches_are_open_than_there_is_room_for_and_each_has_a_number_of_its_own() -> None:
    table = PaperTable(2)
    play(table, 4, Given(headers(10)))
    begun: set[int] = set()
    for kinds, (_, batch) in zip(table.kinds(), table.sent, strict=True):
        assert kinds["match_start"] + kinds["decision"] <= 4
        begun |= {part.match for part in batch.parts if part.HasField("match_start")}
    assert begun == set(range(1, 11))


def test_a_message_asks_for_starts_or_for_decisions_and_only_the_last_to_a_seat_asks_for_nothing() -> None:
    table = PaperTable(3)
    play(table, 4, Given(headers(9, 3)))
    kinds = table.kinds()
    assert all(not (each["match_start"] and each["decision"]) for each in kinds)
    silent = [number for number, each in enumerate(kinds) if not each["match_start"] + each["decision"]]
    last = {seat: number for number, (seat, _) in enumerate(table.sent)}
    assert set(silent) <= set(last.values())


def test_every_seat_hears_the_start_the_decisions_and_the_end_of_each_match_in_order() -> None:
    table = PaperTable(2)
    play(table, 3, Given(headers(7)))
    for seat in range(2):
        heard: dict[int, list[str]] = {}
        for to, batch in table.sent:
            for part in batch.parts if to == seat else ():
                heard.setdefault(part.match, []).append(part.WhichOneof("body") or "")
        assert len(heard) == 7
        for bodies in heard.values():
            assert bodies == ["match_start", *["decision"] * (len(bodies) - 2), "match_end"]


def test_decisions_together_have_the_time_of_one_and_each_is_recorded_with_its_share() -> None:
    table = PaperTable(2)
    found = play(table, 8, Given(headers(8)))
    assert set(table.limits_ms) == {PATIENT.start_ms, PATIENT.move_ms}
    assert {spent.us for transcript in found for spent in transcript.metadata.spent} == {1_000}
    times = {part.decision.time_left_ms for _, batch in table.sent for part in batch.parts if part.HasField("decision")}
    assert times == {PATIENT.move_ms}


def test_no_message_is_longer_than_bots_must_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "_MOST_BYTES", 200)
    table = PaperTable(2)
    found = play(table, 16, Given(headers(16)))
    assert len(found) == 16
    assert max(batch.ByteSize() for _, batch in table.sent) <= 200
    assert max(len(batch.parts) for _, batch in table.sent) > 1


@pytest.mark.parametrize("ours", [True, False])
def test_whatever_goes_wrong_breaks_the_batch_and_gives_back_what_was_not_finished(ours: bool) -> None:
    asked = count()

    def fails(questions: Batch) -> Reply:
        if next(asked) < 9:
            return honest(questions)
        if ours:
            raise Busy("the machine was busy")
        return Failed(FaultKind.ILLEGAL, "chose index 9")

    given_headers = headers(12)
    supply = Given(given_headers)
    found: list[Header] = []

    async def all_of_them() -> None:
        playing = Batches(cast("Table", PaperTable(2, fails)), ENTRY, PATIENT, 4).play(supply)
        async for transcript in playing:
            found.append(transcript.record.header)  # noqa: PERF401 - those before the error count

    with pytest.raises(BatchFailed) as broken:
        asyncio.run(all_of_them())
    assert str(broken.value) == ("the machine was busy" if ours else "chose index 9")
    assert broken.value.seat is None if ours else broken.value.seat in (0, 1)
    left = [supply.next() for _ in range(12 - len(found) - len(broken.value.unfinished))]
    assert [*found, *broken.value.unfinished, *left] == unordered(given_headers)


# Processes


def batcher(folder: Path, how: str) -> LocalBot:
    folder = folder / how
    folder.mkdir(exist_ok=True)
    run = msgspec.json.encode(["{python}", str(BATCHER), "{address}", how]).decode()
    (folder / "bot.toml").write_text(MANIFEST.format(run=run, transport="unix").replace('"rogue"', '"batcher"'))
    return read_sources(folder)


def with_table(bots: Sequence[LocalBot], test: Callable[[Table], Awaitable[None]], clock: Clock = PATIENT) -> None:
    async def run() -> None:
        with run_folder() as run_dir:
            table = Table(bots, hosting_in(run_dir, clock))
            try:
                await table.start()
                await test(table)
            finally:
                await table.stop()
            assert list(run_dir.iterdir()) == []

    uvloop.run(run())


@pytest.mark.process
@pytest.mark.parametrize("how", ["right", "answers_in_pieces"])
def test_two_processes_play_many_matches_as_they_do_singly(how: str, tmp_path: Path) -> None:
    async def test(table: Table) -> None:
        assert table.max_batch == 1024
        playing = Batches(table, ENTRY, PATIENT, 5).play(Given(headers(12)))
        records = [transcript.record async for transcript in playing]
        assert records == unordered([singly(header) for header in headers(12)])
        again = (await table.play(ENTRY, headers(1)[0], PATIENT)).record  # the same processes, singly
        assert again == singly(headers(1)[0])

    with_table([batcher(tmp_path, how), batcher(tmp_path, "right")], test)


@pytest.mark.process
@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("answers_twice", "asked"),
        pytest.param("answers_one_twice", "which had no open question in the batch", marks=pytest.mark.slow),
        ("answers_for_another_match", "which had no open question in the batch"),
        pytest.param("repeats_an_older_batch", "when decision", marks=pytest.mark.slow),
        ("answers_another_decision", "when decision 2 was asked, in a batch"),
        ("chooses_too_high", "chose index 99 at decision 2"),
        pytest.param("sends_unequal_columns", "sent Answers with columns of", marks=pytest.mark.slow),
        pytest.param("sends_empty_answers", "sent Answers without an answer", marks=pytest.mark.slow),
        pytest.param("is_ready_again", "with ready instead of a choice", marks=pytest.mark.slow),
        pytest.param("answers_singly", "answered a batch with a choice instead of answers", marks=pytest.mark.slow),
        ("dies", "its process ended with code 3"),
        ("misses_one", "did not answer 1 of the"),
        ("says_nothing", "questions of a batch within 300 ms"),
    ],
)
def test_a_bot_that_answers_wrongly_breaks_its_batch_and_is_named(how: str, words: str, tmp_path: Path) -> None:
    async def test(table: Table) -> None:
        with pytest.raises(BatchFailed) as broken:
            [transcript async for transcript in Batches(table, ENTRY, SHORT, 4).play(Given(headers(6)))]
        assert broken.value.seat == 1
        assert words in str(broken.value)
        assert broken.value.unfinished

    with_table([batcher(tmp_path, "right"), batcher(tmp_path, how)], test, SHORT)


@pytest.mark.process
@pytest.mark.parametrize(("how", "most"), [("plays_singly", 1), ("says_0", 1), ("says_too_many", 1024)])
def test_a_table_can_play_as_many_at_once_as_each_of_its_bots(how: str, most: int, tmp_path: Path) -> None:
    async def test(table: Table) -> None:
        assert table.max_batch == most

    with_table([batcher(tmp_path, "right"), batcher(tmp_path, how)], test)
