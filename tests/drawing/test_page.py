"""A page is one file that loads nothing, and foreign words in it are words."""

import base64
import hashlib
import json
import zlib
from collections.abc import Iterable
from functools import cache
from html.parser import HTMLParser
from typing import Any

import pytest
from msgspec.structs import replace

from referee.core.outcome import FAULT
from referee.drawing.drawer import ForbiddenAction, Layer, Layers, Moment, Size
from referee.drawing.page.html import page_of_all, page_of_seat
from referee.drawing.playback import ViewerMoment, by_everyone, by_seat, watch
from referee.drawing.recording import Recording, record_all, record_seat
from referee.drawing.registry import drawer
from referee.drawing.seat_names import SeatNames
from referee.match.transcript import DecisionNote, Note, Remark, Transcript
from referee.wire.registry import games
from tests.drawing.matches import (
    DRAWN_GOLDEN,
    EVERY_TABLE,
    QUICK,
    choices,
    drawn_games,
    golden_match,
    random_match,
    rules,
    watched,
)
from tests.golden.tables import TABLES
from tests.leaks.wrapped import Wrapped

every_drawn_game = pytest.mark.parametrize("game", drawn_games(), scope="module")
"""All tests of a game come together, so that mostly one process draws its page."""
HOSTILE = (
    "</script><img src=//evil.example/x onerror=alert(1)>@1",
    "\u202egnp.exe\u2066@1",
    "<!--<script>@1",
    "\ud800\x1b[31m\x00$title${policy}&lt;@1",
    "W" * 3_000_000 + "@1",
)


FILMED = sorted((it for it in QUICK if it.ending != FAULT or it.table == TABLES[it.game][0]), key=str)
"""Of each game a whole match, and one that ends by a fault."""


class Parsed(HTMLParser):
    """The elements of a page with their attributes, and the text of each kind of element."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self._open = [""]
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._open.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.setdefault(self._open[-1], []).append(data)

    def handle_endtag(self, tag: str) -> None:
        while len(self._open) > 1 and self._open.pop() != tag:
            pass

    @property
    def recording(self) -> Any:
        """The data of the page, unpacked."""
        return json.loads(unpacked(self.texts["script"][0]))


def unpacked(recording: str) -> str:
    return zlib.decompress(base64.b64decode(recording, validate=True)).decode()


def readable(page: str) -> str:
    """All that a page holds, its data unpacked."""
    return page + unpacked(Parsed(page).texts["script"][0])


def page(transcript: Transcript, seat: int | None = None) -> str:
    played = watched(transcript)
    by = drawer(played.game)
    return page_of_all(played, by) if seat is None else page_of_seat(played, by, seat)


@cache
def page_of(game: str, seat: int | None = None) -> str:
    return page(match_of(game), seat)


@cache
def match_of(game: str, entries: tuple[str, ...] = ()) -> Transcript:
    """A short one at the first table."""
    table = TABLES[game][0]
    golden = min(
        (it for it in DRAWN_GOLDEN if it.game == game and it.table == table and it.ending != FAULT), key=choices
    )
    return golden_match(golden, entries[: table.seats])


@every_drawn_game
def test_the_policy_allows_the_style_sheet_and_the_script_of_the_page_and_nothing_else(game: str) -> None:
    parsed = Parsed(page_of(game))
    (policy,) = (it["content"] or "" for tag, it in parsed.elements if it.get("http-equiv"))
    (style,) = parsed.texts["style"]
    _, script = parsed.texts["script"]
    hashed = [base64.b64encode(hashlib.sha256(it.encode()).digest()).decode() for it in (style, script)]
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{hashed[0]}'; script-src 'sha256-{hashed[1]}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


@every_drawn_game
def test_nothing_in_a_page_has_an_address_or_a_handler_or_a_style_of_its_own(game: str) -> None:
    for tag, attributes in Parsed(page_of(game)).elements:
        assert not [name for name in attributes if name == "style" or name.startswith("on")]
        links = {name: attributes[name] for name in ("src", "href", "action", "xlink:href") if name in attributes}
        assert links in ({}, {"href": "data:,"}), tag


@every_drawn_game
def test_the_same_match_gives_the_same_page_byte_for_byte(game: str) -> None:
    assert page(match_of(game)) == page_of(game)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "table"),
    [pytest.param(game, table, id=f"{game}-{table.name}") for game, table in EVERY_TABLE],
)
def test_the_page_of_an_ordinary_match_is_below_300_kilobytes(game: str, table: Any) -> None:
    assert len(page(random_match(game, table, 1)).encode()) < 300_000


@every_drawn_game
def test_foreign_names_are_words_on_one_line_and_short(game: str) -> None:
    transcript = match_of(game, HOSTILE)
    plain = page_of(game)
    shown = page(transcript)
    assert shown.isprintable() or not {char for char in shown if not char.isprintable()} - {"\n"}
    shown.encode()
    assert [tag for tag, _ in Parsed(shown).elements] == [tag for tag, _ in Parsed(plain).elements]
    assert len(shown) < len(plain) + 50_000
    assert "</script><img" not in shown
    assert "&lt;/script&gt;&lt;img" in shown


@every_drawn_game
def test_remarks_of_bots_are_words_on_one_line_and_short(game: str) -> None:
    transcript = match_of(game)
    remarks = tuple(Remark(0, None, text, stderr=text) for text in HOSTILE)
    shown = page(replace(transcript, metadata=replace(transcript.metadata, remarks=remarks)))
    assert {char for char in shown if not char.isprintable()} <= {"\n"}
    assert "<img" not in shown
    assert "stderr: &lt;/script&gt;&lt;img" in shown
    assert len(shown) < len(page_of(game)) + 50_000


@pytest.mark.slow
@every_drawn_game
def test_the_data_of_a_page_are_its_recording_with_a_track_for_each_viewer(game: str) -> None:
    transcript = match_of(game, HOSTILE)
    recording = recorded(transcript)
    shown = Parsed(page(transcript)).recording
    assert tuple(shown["parts"]) == recording.parts
    assert tuple(shown["words"]) == recording.words
    assert [track["viewer"] for track in shown["tracks"]] == [None, *range(TABLES[game][0].seats)]
    assert {char for viewer in shown["viewers"] for char in viewer if not char.isprintable()} == set()


@every_drawn_game
def test_the_page_of_everyone_has_digest_and_seeds_and_that_of_a_seat_none_but_its_own(game: str) -> None:
    transcript = match_of(game)
    header = transcript.record.header
    for secret in (transcript.digest, header.deal_seed, header.fixture, *header.bot_seeds, *header.entries):
        assert secret in readable(page_of(game))
    assert Parsed(page_of(game)).recording["course"]["lines"]
    assert not any(Parsed(page_of(game, seat=1)).recording["course"].values())
    own = readable(page_of(game, seat=1))
    for secret in (transcript.digest, header.deal_seed, header.fixture, header.bot_seeds[0], header.entries[0]):
        assert secret not in own
    assert header.bot_seeds[1] in own
    assert header.entries[1] in own


def test_the_remarks_on_others_are_not_in_the_page_of_a_seat() -> None:
    transcript = match_of("agent-avenue")
    remarks = (Remark(0, None, "said by the first"), Remark(1, None, "said by the second"))
    remarked = replace(transcript, metadata=replace(transcript.metadata, remarks=remarks))
    assert "said by the first" in readable(page(remarked))
    assert "said by the first" not in readable(page(remarked, seat=1))
    assert "said by the second" in readable(page(remarked, seat=1))


def test_the_note_of_a_bot_stands_beside_its_decision_and_in_no_page_of_another_seat() -> None:
    transcript = match_of("agent-avenue")
    notes = tuple(DecisionNote(seat, 1, Note(f"{HOSTILE[0]} of {seat}\n{'x' * 9_000}", 2, 70)) for seat in (0, 1))
    noted = replace(transcript, metadata=replace(transcript.metadata, notes=notes))
    for seat in (0, 1):
        assert f"{HOSTILE[0]} of {seat}" in readable(page(noted))
        assert (f"of {seat}" in readable(page(noted, seat=0))) == (seat == 0)
    assert "2 tries, 70 tokens" in readable(page(noted))
    assert "x" * 3_000 not in readable(page(noted))
    assert "<img" not in page(noted)


# Recordings


@pytest.mark.parametrize("golden", FILMED, ids=str)
def test_a_recording_has_every_layer_once_and_shows_what_was_drawn(golden: Any) -> None:
    played = watched(golden_match(golden))
    recording = recorded(golden_match(golden))
    assert len(set(recording.layers)) == len(recording.layers)
    assert [track.viewer for track in recording.tracks] == [None, *range(played.seats)]
    assert [len(track.frames) for track in recording.tracks] == [
        steps(by_everyone(played)),
        *(steps(by_seat(played, seat)) for seat in range(played.seats)),
    ]
    names = names_of(golden_match(golden))
    everything = recording.tracks[0].frames
    for number, sight in enumerate(by_everyone(played)):
        frames = [frame for frame in everything if frame.match == number]
        heard = [recording.words[frame.event] for frame in frames if frame.event >= 0]
        assert heard == [names.put_into(played.game.describe(event)) for event in sight.moment.events]
        frame = frames[-1]
        assert told(recording, frame.lines) == [names.put_into(line) for line in sight.lines]
        for shown, asked in zip(frame.decisions, sight.decisions, strict=True):
            legal = map(played.game.describe_action, asked.ask.legal)
            assert told(recording, shown.legal) == [names.put_into(action) for action in legal]
            assert shown.chosen == (-1 if asked.chosen is None else asked.chosen)


def names_of(transcript: Transcript) -> SeatNames:
    played = watched(transcript)
    return SeatNames(transcript.record.header.entries, played.game.sides(played.options, played.seats))


def recorded(transcript: Transcript) -> Recording:
    played = watched(transcript)
    return record_all(played, drawer(played.game), names_of(transcript))


def steps(sights: Iterable[ViewerMoment]) -> int:
    """One for each event, and one for each position to which no event led."""
    return sum(max(1, len(sight.moment.events)) for sight in sights)


def told(recording: Recording, number: int) -> list[str]:
    return [recording.words[word] for word in recording.lists[number]]


class Secretive(Wrapped):
    """Agent Avenue, but seat 1 hears no events, so it sees only its own decisions."""

    def heard(self, event: Any, seat: int) -> Any:
        return None if seat == 1 else self._game.heard(event, seat)


def test_the_recording_of_a_seat_counts_its_own_steps_only() -> None:
    game = Secretive(rules("agent-avenue")).rules
    match = match_of("agent-avenue")
    recording = record_seat(watch(game, match), drawer(games()["agent-avenue"].game), names_of(match), 1)
    (track,) = recording.tracks
    assert len(track.frames) < len(list(by_everyone(watched(match))))
    assert [frame.match for frame in track.frames] == list(range(len(track.frames)))


class Restless:
    """A drawer that forgets a layer after the first moment."""

    style = ""

    def __init__(self) -> None:
        self._drawn = 0

    def size(self, options: Any, seats: int) -> Size:  # noqa: ARG002
        return Size(480, 100)

    def whole(self, moment: Moment[Any]) -> Layers:  # noqa: ARG002
        self._drawn += 1
        return (Layer("a", ()), Layer("b", ()))[: 2 if self._drawn == 1 else 1]

    for_seat = whole

    def barred(self, moment: Moment[Any]) -> tuple[ForbiddenAction, ...]:  # noqa: ARG002
        return ()


def test_a_drawer_that_forgets_a_layer_is_found_out() -> None:
    with pytest.raises(ValueError, match="the same layers in every moment"):
        record_all(watched(match_of("agent-avenue")), Restless(), names_of(match_of("agent-avenue")))
