"""A person at a table: the match and its transcript are like any other, and nothing but time costs a person a match."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.core.outcome import FAULT, Seat
from referee.drawing.page.html import page_of_all, page_of_seat
from referee.drawing.playback import watch
from referee.drawing.registry import drawer
from referee.files.manifest import plain_name
from referee.match.header import single
from referee.match.replay import compare, verify
from referee.match.terms import Clock, EntryTerms
from referee.match.transcript import FaultKind, Transcript, from_file, to_file
from referee.runtime.confinement import confinement
from referee.runtime.host import HostSettings
from referee.runtime.person import PLACE, Mailbox, NotAsked, person, person_name
from referee.runtime.table import Table
from referee.wire.registry import game_entry, games

Choose = Callable[[Mailbox, Seat], None]
every_game = pytest.mark.parametrize("game", tuple(games()))


def evenly(seed: str) -> Choose:
    rng = Random(seed)

    def choose(mailbox: Mailbox, _seat: Seat) -> None:
        assert mailbox.open is not None
        mailbox.choose(mailbox.open.decision, rng.randrange(mailbox.open.legal))

    return choose


async def _plays(mailbox: Mailbox, seat: Seat, choose: Choose) -> None:
    while True:
        rung = mailbox.bell.next
        if mailbox.open is not None:
            choose(mailbox, seat)
        await rung.wait()


async def _match(game: str, seats: int, options: Any, choose: Choose, clock: Clock) -> tuple[Transcript, list[Mailbox]]:
    entry = game_entry(game)
    mailboxes = [Mailbox() for _ in range(seats)]
    persons = [
        person(person_name(f"p{seat}"), mailbox, EntryTerms(clock=clock)) for seat, mailbox in enumerate(mailboxes)
    ]
    header = single(entry.game, options, tuple(each.entry for each in persons), "persons")
    table = Table(persons, HostSettings(Path(), confinement("none"), 1_000))
    playing = [asyncio.create_task(_plays(mailbox, seat, choose)) for seat, mailbox in enumerate(mailboxes)]
    try:
        return await table.play(entry, header, Clock()), mailboxes
    finally:
        await table.stop()
        for player in playing:
            player.cancel()
        over: Sequence[Any] = await asyncio.gather(*playing, return_exceptions=True)
        assert [it for it in over if not isinstance(it, asyncio.CancelledError)] == []


def played(game: str, choose: Choose, clock: Clock = Clock()) -> tuple[Transcript, list[Mailbox]]:  # noqa: B008
    rules = game_entry(game).game
    options = rules.options_type()
    return asyncio.run(_match(game, rules.seats(options)[0], options, choose, clock))


@every_game
def test_persons_play_a_whole_match_whose_transcript_is_like_any_other(game: str) -> None:
    transcript, mailboxes = played(game, evenly("whole"))
    assert set(transcript.processor_us) == {None}  # nobody sees it
    assert transcript.record.faults == ()
    assert transcript.record.outcome.ending in game_entry(game).game.endings
    assert transcript.record.header.entries == tuple(f"~p{seat}@person" for seat in range(len(mailboxes)))
    assert transcript.metadata.bots == (PLACE,) * len(mailboxes)
    assert transcript.metadata.sandbox is None
    again, digest = from_file(to_file(transcript))
    assert (again, digest) == (transcript, transcript.digest)
    verify(game_entry(game).game, again)
    same, _ = played(game, evenly("whole"))
    assert compare(transcript.record, same.record) is None
    assert all(mailbox.open is None for mailbox in mailboxes)


def test_a_match_of_persons_can_be_seen_again_by_everyone_and_each_seat() -> None:
    transcript, _ = played("agent-avenue", evenly("seen"))
    watched = watch(game_entry("agent-avenue").game, transcript)
    assert "~p0@person" in page_of_all(watched, drawer(games()["agent-avenue"].game))
    assert "~p1@person" not in page_of_seat(watched, drawer(games()["agent-avenue"].game), 0)


def test_answers_that_fit_nothing_are_refused_and_the_match_goes_on() -> None:
    fair = evenly("hostile")

    def hostile(mailbox: Mailbox, seat: Seat) -> None:
        assert mailbox.open is not None
        number, legal = mailbox.open.decision, mailbox.open.legal
        for decision, index in ((number + 1, 0), (number - 1, 0), (number, legal), (number, -1), (0, 0)):
            with pytest.raises(NotAsked):
                mailbox.choose(decision, index)
        fair(mailbox, seat)
        with pytest.raises(NotAsked):
            mailbox.choose(number, 0)

    transcript, _ = played("inside-job", hostile)
    assert transcript.record.faults == ()
    assert transcript.record == played("inside-job", evenly("hostile"))[0].record


def test_who_does_not_answer_in_time_loses_by_time_and_nobody_else() -> None:
    fair = evenly("late")

    def late(mailbox: Mailbox, seat: Seat) -> None:
        if seat != 1:
            fair(mailbox, seat)

    transcript, mailboxes = played("agent-avenue", late, Clock(move_ms=50))
    (fault,) = transcript.record.faults
    assert (fault.seat, fault.kind) == (1, FaultKind.TIMEOUT)
    assert transcript.record.outcome.ending == FAULT
    assert transcript.record.outcome.places[0] == 1
    with pytest.raises(NotAsked):
        mailboxes[1].choose(fault.decision, 0)


def test_a_person_has_a_clock_of_its_own() -> None:
    transcript, mailboxes = played("agent-avenue", evenly("clock"), Clock(move_ms=600_000))
    assert {terms.clock for terms in transcript.terms} == {Clock(move_ms=600_000)}
    asked = [sent.question for mailbox in mailboxes for sent in mailbox.sent if sent.question]
    assert {it.left_ms for it in asked} == {600_000}


@pytest.mark.parametrize("name", ["", "a b", "~ann", "ann@1", "a+b", "x" * 25, "ann\n", "änn", "<b>"])
def test_a_name_that_cannot_stand_in_a_transcript_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="allowed"):
        person_name(name)


def test_no_bot_can_have_the_name_of_a_person() -> None:
    with pytest.raises(ValueError, match="allowed"):
        plain_name(person_name("ann"))
