"""The page of a seat is a function of the bytes that the seat was sent, and looks the same as a replay."""

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from referee.core.outcome import Seat
from referee.drawing.drawer import Moment
from referee.drawing.playback import by_seat, watch
from referee.drawing.registry import drawer
from referee.drawing.svg import markup
from referee.match.match import Ask
from referee.runtime.person import Mailbox
from referee.wire.codec import GameEntry
from referee.wire.messages import encode
from referee.wire.registry import game_entry, games
from referee.wire.seat_messages import read
from tests.conftest import Tell
from tests.golden.tables import GoldenTable
from tests.leaks.comparing import Pair, whole_pairs
from tests.leaks.parameters import every_game, every_table
from tests.leaks.proofs import PROOFS, Proof
from tests.leaks.worlds import Course
from tests.leaks.wrapped import Arranged, Wrapped
from tests.runtime.test_person import evenly, played
from tests.tournaments.web.visitors.puppets import Hands, room
from tests.tournaments.web.visitors.visitor import visitor_at
from tests.wire.matches import random_match
from tournaments.web.visitors import table as tables
from tournaments.web.visitors.protocol import PERSON, SeatEnd, TableRequest, TableSettings
from tournaments.web.visitors.seat_view import SeatMessage, SeatView
from tournaments.web.visitors.table import PersonTable
from tournaments.web.visitors.tables import OpenTables

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
            table.seats[seat].invitation = f"invitation-{seat}"
        for seat in range(1, pair.seat + 1):
            await tables_service.sit(f"invitation-{seat}", NAMES[seat])
        async with visitor_at(tables_service).stream(f"/at/{table.seats[pair.seat].key}/news") as stream:
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
        for seat, mailbox in ((seat, table.seats[seat].mailbox) for seat in list(left)):
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
@pytest.mark.parametrize(
    "proof",
    [
        pytest.param(it, id=it.game, marks=pytest.mark.slow if it.game == "inside-job" else ())
        for it in PROOFS
        if it.game != "agonia"
    ],
)
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
        sent_to_all = sum(sum(sent.message) for chair in table.seats.values() for sent in chair.mailbox.sent)
        return replace(told(table, seat), why=str(sent_to_all))

    monkeypatch.setattr(PersonTable, "setting", telling)
    proof = next(it for it in PROOFS if it.game == "agent-avenue")
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
        replayed = (_as_live(sight.moment, seat) for sight in by_seat(watched, seat) if sight.decisions)
        for live, moment in zip(_pictures(mailbox), replayed, strict=True):
            for layer in drawer(games()[game].game).for_seat(moment):
                if layer.name not in OF_THE_WAY[game]:
                    assert live[layer.name] == markup(layer.inside), layer.name
                    compared += 1
    assert compared > 100


def _pictures(mailbox: Mailbox) -> Iterator[dict[str, str]]:
    """The layers of the picture at each decision, as the page has them."""
    sight = SeatView()
    for sent in mailbox.sent:
        (shown,) = sight.next_messages([sent.message], {})
        if shown.decision:
            assert sight._at is not None
            yield {name: markup(inside) for name, inside in sight._at._picture.items()}


def _as_live(moment: Moment[Any], seat: Seat) -> Moment[Any]:
    names = tuple(f"seat {at} (you)" if at == seat else f"seat {at}" for at in range(len(moment.names)))
    return replace(moment, names=names, questions=tuple(replace(it, chosen=None) for it in moment.questions))


def messages(game: str, seed: str = "sight") -> list[bytes]:
    """The messages to seat 0 in a random match."""
    rules = game_entry(game).game
    options = rules.options_type()
    requests = random_match(game, options, rules.seats(options)[0], seed)
    return [encode(game_entry(game).codec, match, it) for match, it in requests if it.seat == 0]


@every_game
def test_pictures_that_are_sent_in_part_add_up_to_those_that_are_sent_whole(proof: Proof) -> None:
    sent = messages(proof.game)[:-1]  # the end has its picture from elsewhere
    step_by_step = SeatView()
    for number, message in enumerate(sent, 1):
        (shown,) = step_by_step.next_messages([message], {})
        at_once = SeatView()
        last = at_once.next_messages(sent[:number], {})[-1]
        if number > 1:
            assert at_once._at is not None
            assert step_by_step._at is not None
            assert at_once._at._picture == step_by_step._at._picture
            assert all(markup(inside) in last.board for inside in step_by_step._at._picture.values())
        assert replace(last, board="", layers={}, steps=()) == replace(shown, board="", layers={}, steps=())
        if number > 6:
            return


def test_of_several_messages_only_the_last_has_a_picture_and_actions() -> None:
    *past, last = SeatView().next_messages(messages("inside-job")[:5], {1: 0, 2: 1, 3: 0})
    assert [it.number for it in (*past, last)] == [0, 1, 2, 3, 4]
    assert not any(it.board or it.layers or it.steps or it.legal or it.barred or it.lines for it in past)
    assert all(it.heard for it in past[1:])
    assert all(it.chose for it in past[1:])
    assert last.board
    assert last.legal
    assert last.chose == ""


def test_a_sight_says_what_was_chosen_at_the_last_decision_only() -> None:
    sent = messages("agent-avenue")
    sight = SeatView()
    shown = sight.next_messages(sent[:2], {})[-1]
    assert sight.chose({}) == ""
    assert sight.chose({shown.decision: 1}) == shown.legal[1]
    assert sight.chose({shown.decision + 1: 1}) == ""
    sight.next_messages(sent[2:], {})
    assert sight.chose({shown.decision: 1}) == ""


# Events one after the other


def with_end(game: str, players: Sequence[str] = (), most: int = 4) -> list[SeatMessage]:
    """Some first messages to seat 0 in a random match, each shown before the next comes, the last one, and the end."""
    sight, sent = SeatView(), messages(game)
    shown = [sight.next_messages([message], {}, players)[-1] for message in (*sent[:most], sent[-1])]
    return [*shown, *sight.next_messages([], {}, players, end_of(game))]


def end_of(game: str) -> SeatEnd:
    """The end of the match of `messages`, for seat 0."""
    rules, entry = game_entry(game).game, game_entry(game)
    options = rules.options_type()
    for match, _ in random_match(game, options, rules.seats(options)[0], "sight"):
        last = match
    assert last.outcome is not None
    view = entry.codec.view(rules.view(last.state, 0))
    return SeatEnd(view, last.outcome.ending, last.outcome.places, last.outcome.scores, ())


@pytest.mark.parametrize("game", ["agent-avenue", "agonia", "inside-job"])
def test_each_event_of_several_has_a_picture_and_they_lead_to_that_of_the_position(game: str) -> None:
    sight, layers, sent = SeatView(), dict[str, str](), messages(game)[:5]
    steps = 0
    for message in sent:
        (shown,) = sight.next_messages([message], {})
        if layers:  # no picture comes before the first
            assert len(shown.steps) == len(shown.heard) - 1
        for changed in (*shown.steps, shown.layers):
            layers |= changed
            steps += bool(changed)
    last = SeatView().next_messages(sent, {})[-1]
    assert steps > len(sent)
    assert last.steps == ()  # a page that is opened again plays no events again
    assert all(drawn in last.board for drawn in layers.values())


@pytest.mark.parametrize("game", ["agent-avenue", "agonia", "inside-job"])
def test_the_end_has_the_last_position_which_no_message_has(game: str) -> None:
    last = with_end(game)[-1]
    entry, end = game_entry(game), end_of(game)
    assert entry.reader is not None
    words = entry.game.describe_view(entry.reader.view(end.view)).splitlines()
    assert len(last.lines) == len(words)
    assert last.result
    assert last.heard
    assert last.layers


# Names


def test_sentences_actions_and_pictures_have_the_names_of_the_players() -> None:
    shown = with_end("inside-job", ["~ann", "greedy@1", "random@2"], most=8)
    told = " ".join(
        part for it in shown for part in (*it.heard, *it.lines, *it.legal, *(bar.words for bar in it.barred))
    )
    assert "greedy" in told
    assert re.search(r"\bseat \d", told) is None
    board = next(it.board for it in shown if it.board)
    assert "~ann (you)" in board
    assert "random" in board


def test_a_name_at_the_beginning_of_a_sentence_stays_as_it_is() -> None:
    told = [it for shown in with_end("agent-avenue", ["~ann", "greedy@1"]) for it in shown.heard]
    assert any(it.startswith("greedy ") for it in told)
    assert not any(it.startswith("Greedy") for it in told)


def test_a_match_that_begins_twice_is_no_match() -> None:
    start, *_ = messages("agonia")
    with pytest.raises(ValueError, match="a match begins once"):
        SeatView().next_messages([start, start], {})
