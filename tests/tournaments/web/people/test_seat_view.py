"""The page of a seat is a function of the bytes that the seat was sent, and looks the same as a replay."""

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from referee.core.outcome import Outcome, Seat
from referee.drawing.drawer import Moment
from referee.drawing.playback import by_seat, watch
from referee.drawing.registry import drawer
from referee.drawing.svg import markup
from referee.match.match import Ask
from referee.runtime.mailbox import Mailbox
from referee.wire.codec import GameEntry
from referee.wire.decode import read
from referee.wire.messages import encode
from referee.wire.registry import game_entry, games
from tests.conftest import Tell
from tests.golden.tables import GoldenTable
from tests.leaks.comparing import Pair, whole_pairs
from tests.leaks.parameters import every_game, every_table
from tests.leaks.proofs import PROOFS, Proof
from tests.leaks.worlds import Course
from tests.leaks.wrapped import Arranged, Wrapped
from tests.runtime.test_person import evenly, played
from tests.tournaments.web.people.puppets import Hands, room
from tests.tournaments.web.people.visitor import Visitor
from tests.wire.matches import random_match
from tournaments.web.people import table as tables
from tournaments.web.people.protocol import TableSettings
from tournaments.web.people.routes import PeopleRoutes
from tournaments.web.people.seat_view import SeatView, result
from tournaments.web.people.table import PersonTable
from tournaments.web.people.table_request import PERSON, TableRequest
from tournaments.web.people.tables import OpenTables

NAMES = ("ann", "bob", "cid", "dan", "eve")


# Two worlds


@pytest.fixture
def stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of every mailbox stands still: how long others think is no secret, and differs."""
    monkeypatch.setattr(tables, "Mailbox", lambda: Mailbox(lambda: 0))


def streamed(folder: Path, entry: GameEntry, pair: Pair, course: Course) -> bytes:
    """Every byte of the stream to the page of the pair's seat, in a match with this luck and these choices."""
    options, seats = msgspec.to_builtins(pair.table.options), pair.table.seats
    arranged = GameEntry(Arranged(entry.game, course.draws).rules, entry.codec, entry.reader)
    its_room = replace(room(entry.game.name, folder), game=arranged)

    async def test() -> bytes:
        tables_service = OpenTables({its_room.league: its_room}, folder, print, Hands())
        await tables_service.open(TableRequest(its_room.league, options, (PERSON,) * seats, NAMES[0]))
        (table,) = tables_service._tables
        for seat in range(1, seats):  # they are drawn by lot
            table.chairs[seat].invitation = f"invitation-{seat}"
        for seat in range(1, pair.seat + 1):
            await tables_service.sit(f"invitation-{seat}", NAMES[seat])
        async with Visitor(PeopleRoutes(tables_service).app).stream(
            f"/at/{table.chairs[pair.seat].key}/news"
        ) as stream:
            await _settled()
            for seat in range(pair.seat + 1, seats):
                await tables_service.sit(f"invitation-{seat}", NAMES[seat])
            for choices in course.choices:
                await _chosen(table, entry, choices)
            await _settled()
            content = stream.all_so_far()
        await tables_service.close()
        return content

    return asyncio.run(test())


async def _chosen(table: PersonTable, entry: GameEntry, choices: Mapping[Seat, Any]) -> None:
    """Let all that are asked now choose as they did."""
    left = dict(choices)
    while left:
        await _settled()
        for seat, mailbox in ((seat, table.chairs[seat].mailbox) for seat in list(left)):
            if mailbox.open is not None:
                assert entry.reader is not None
                letter = read(mailbox.sent[-1].message, seat, entry.reader)
                assert isinstance(letter, Ask)
                mailbox.choose(letter.number, letter.legal.index(left.pop(seat)))


async def _settled() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def compare(folder: Path, proof: Proof, entry: GameEntry, table: GoldenTable, matches: int, seed: int = 14) -> int:
    """How many streams in two worlds that differ in something hidden are equal, byte for byte.

    Raises:
        AssertionError: two are not equal.
    """
    compared = 0
    for pair in whole_pairs(proof, table, matches, Random(seed)):
        if pair.exchanged:
            first, second = (streamed(folder, entry, pair, course) for course in (pair.first, pair.second))
            assert first == second
            assert first.count(b"event: news") > len(pair.first.choices) / pair.table.seats / 2
            compared += 1
    return compared


@pytest.mark.usefixtures("stopped")
@pytest.mark.parametrize("proof", [it for it in PROOFS if it.game != "agonia"], ids=lambda it: it.game)
def test_in_two_worlds_that_a_seat_cannot_tell_apart_its_page_is_sent_the_same_bytes(
    tmp_path: Path, proof: Proof
) -> None:
    assert compare(tmp_path, proof, proof.entry, proof.tables[0], 1)


@pytest.mark.leaks
@pytest.mark.usefixtures("stopped")
@every_table
def test_in_many_pairs_of_worlds_a_page_is_sent_the_same_bytes(
    tmp_path: Path, proof: Proof, table: GoldenTable, tell: Tell
) -> None:
    count = compare(tmp_path, proof, proof.entry, table, 4)
    tell(f"{proof.game}/{table.name}, streams in two worlds", {"pairs": count})
    assert count


class _Shows(Wrapped):
    """Agent Avenue, in which the number of cards in the deck tells in which order they lie."""

    def view(self, state: Any, seat: Seat) -> Any:
        return replace(
            self._game.view(state, seat), deck_count=sum(place * card for place, card in enumerate(state.deck))
        )


@pytest.mark.usefixtures("stopped")
def test_a_leak_of_the_rules_would_be_noticed(tmp_path: Path) -> None:
    proof = next(it for it in PROOFS if it.game == "agent-avenue")
    leaking = GameEntry(_Shows(proof.entry.game).rules, proof.entry.codec, proof.entry.reader)
    with pytest.raises(AssertionError):
        compare(tmp_path, proof, leaking, proof.tables[0], 1)


@pytest.mark.usefixtures("stopped")
def test_a_leak_of_the_table_would_be_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = PersonTable.setting

    def telling(table: PersonTable, seat: Seat) -> TableSettings:
        sent_to_all = sum(sum(sent.message) for chair in table.chairs.values() for sent in chair.mailbox.sent)
        return replace(told(table, seat), why=str(sent_to_all))

    monkeypatch.setattr(PersonTable, "setting", telling)
    proof = next(it for it in PROOFS if it.game == "inside-job")
    with pytest.raises(AssertionError):
        compare(tmp_path, proof, proof.entry, proof.tables[0], 1)


# As in a replay

OF_THE_WAY = {
    "agent-avenue": {"side-0", "side-1", "trails"},  # what is new, and which way pawns went
    "agonia": {"happened", "counter"},  # dice, who fell, and the card that was drawn last
    "inside-job": {"felt", "centre", "judged", "standing"},  # who suspects whom, and the trick that was over
}
"""By game, the layers that also show what happened on the way: that is more, if a seat was not asked in between."""


@pytest.mark.parametrize("game", tuple(OF_THE_WAY))
def test_a_picture_shows_the_position_as_the_replay_does(game: str) -> None:
    transcript, mailboxes = played(game, evenly("as in a replay"))
    watched = watch(game_entry(game).game, transcript)
    compared = 0
    for seat, mailbox in enumerate(mailboxes):
        replayed = (_as_live(sight.moment, seat) for sight in by_seat(watched, seat) if sight.asked)
        for live, moment in zip(_pictures(mailbox), replayed, strict=True):
            for layer in drawer(games()[game].game).seen(moment):
                if layer.name not in OF_THE_WAY[game]:
                    assert live[layer.name] == markup(layer.inside), layer.name
                    compared += 1
    assert compared > 100


def _pictures(mailbox: Mailbox) -> Iterator[dict[str, str]]:
    """The layers of the picture at each decision, as the page has them."""
    sight = SeatView()
    for sent in mailbox.sent:
        (shown,) = sight.shown([sent.message], {})
        if shown.decision:
            assert sight._at is not None
            yield dict(sight._at._picture)


def _as_live(moment: Moment[Any], seat: Seat) -> Moment[Any]:
    names = tuple(f"seat {at} (you)" if at == seat else f"seat {at}" for at in range(len(moment.names)))
    return replace(moment, names=names, asked=tuple(replace(it, chosen=None) for it in moment.asked))


def messages(game: str, seed: str = "sight") -> list[bytes]:
    """The messages to seat 0 in a random match."""
    rules = game_entry(game).game
    options = rules.options_type()
    requests = random_match(game, options, rules.seats(options)[0], seed)
    return [encode(game_entry(game).codec, match, it) for match, it in requests if it.seat == 0]


@every_game
def test_pictures_that_are_sent_in_part_add_up_to_those_that_are_sent_whole(proof: Proof) -> None:
    sent = messages(proof.game)
    step_by_step = SeatView()
    for number, message in enumerate(sent, 1):
        (shown,) = step_by_step.shown([message], {})
        at_once = SeatView()
        last = at_once.shown(sent[:number], {})[-1]
        if number > 1:
            assert at_once._at is not None
            assert step_by_step._at is not None
            assert at_once._at._picture == step_by_step._at._picture
            assert all(markup_ in last.board for markup_ in step_by_step._at._picture.values())
        assert replace(last, board="", layers={}) == replace(shown, board="", layers={})
        if number > 12:
            return


def test_of_several_messages_only_the_last_has_a_picture_and_actions() -> None:
    *past, last = SeatView().shown(messages("inside-job")[:5], {1: 0, 2: 1, 3: 0})
    assert [it.number for it in (*past, last)] == [0, 1, 2, 3, 4]
    assert not any(it.board or it.layers or it.legal or it.barred or it.lines for it in past)
    assert all(it.heard for it in past[1:])
    assert all(it.chose for it in past[1:])
    assert last.board
    assert last.legal
    assert last.chose == ""


def test_a_sight_says_what_was_chosen_at_the_last_decision_only() -> None:
    sent = messages("agent-avenue")
    sight = SeatView()
    shown = sight.shown(sent[:2], {})[-1]
    assert sight.chose({}) == ""
    assert sight.chose({shown.decision: 1}) == shown.legal[1]
    assert sight.chose({shown.decision + 1: 1}) == ""
    sight.shown(sent[2:], {})
    assert sight.chose({shown.decision: 1}) == ""


@every_game
def test_the_end_says_how_it_ended_for_the_seat(proof: Proof) -> None:
    last = SeatView().shown(messages(proof.game), {})[-1]
    assert last.decision == 0
    assert last.result.split(":")[0] in {"You win", "You lose", "Nobody wins", "All win together", "All lose together"}


@pytest.mark.parametrize(
    ("places", "one_side", "words"),
    [
        ((1, 2), False, "You win: ran out."),
        ((2, 1), False, "You lose: ran out."),
        ((2, 2), False, "Nobody wins: ran out."),
        ((1, 1), True, "All win together: ran out."),
        ((2, 2), True, "All lose together: ran out."),
    ],
)
def test_a_result_is_told_from_the_places(places: tuple[int, ...], one_side: bool, words: str) -> None:
    assert result(Outcome("ran_out", places, ()), 0, one_side=one_side) == words


def test_a_match_that_begins_twice_is_no_match() -> None:
    start, *_ = messages("agonia")
    with pytest.raises(ValueError, match="a match begins once"):
        SeatView().shown([start, start], {})
