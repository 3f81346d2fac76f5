"""A game of another package, without a proto and without a drawer, on the pages of matches and at a person's seat."""

import asyncio
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from referee.drawing.svg import markup
from referee.match.match import Ask
from referee.wire import registry
from referee.wire.messages import encode
from tests.kuhn import Options
from tests.tournaments.web.visitors.puppets import Hands, room
from tests.wire.matches import random_match
from tournaments.web.pages.match_pictures import played, style_of
from tournaments.web.visitors.protocol import PERSON, SeatEnd, TableRefused, TableRequest
from tournaments.web.visitors.seat_view import SeatView
from tournaments.web.visitors.tables import OpenTables


@pytest.fixture(autouse=True)
def _kuhn_is_installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    ours = vars(registry)["entry_points"]
    kuhn = EntryPoint("kuhn", "tests.kuhn:game", registry.GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda **wanted: [*ours(**wanted), kuhn])
    monkeypatch.setattr(registry, "_PACKAGES", {**registry._PACKAGES})
    registry._points.cache_clear()
    yield
    registry._points.cache_clear()


def test_a_person_sees_the_position_in_words_and_what_may_be_chosen() -> None:
    view, asked = SeatView(), 0
    for match, request in random_match("kuhn", Options(), 2, "1"):
        if request.seat == 0:
            (shown,) = view.next_messages([encode(registry.game_entry("kuhn").codec, match, request)], {})
            if isinstance(request, Ask):
                asked += 1
                assert shown.legal == ("pass", "bet")
                drawn = shown.board or shown.layers["words"]
                assert "View(seat=0" in drawn
                assert shown.lines
    assert asked
    assert match.outcome is not None
    last = registry.game_entry("kuhn").codec.view(registry.game_entry("kuhn").game.view(match.state, 0))
    (shown,) = view.next_messages([], {}, (), SeatEnd(last, match.outcome.ending, match.outcome.places, None, ()))
    assert shown.result
    assert shown.layers or shown.board


def test_the_page_of_a_match_has_the_last_position_and_a_replay_in_words() -> None:
    *_, (match, _) = random_match("kuhn", Options(), 2, "1")
    assert list(match) == []
    found = played(match.transcript())
    assert found is not None
    assert "View(seat=1" in markup(found.end())
    assert "kuhn" in found.replay()
    assert style_of("kuhn")


def test_a_game_whose_messages_nobody_can_read_is_refused_at_once(tmp_path: Path) -> None:
    entry = registry.game_entry("agent-avenue")
    its_room = replace(room("agent-avenue", tmp_path), game=replace(entry, reader=None))

    async def test() -> None:
        tables = OpenTables({its_room.league: its_room}, tmp_path, print, Hands())
        options = msgspec.to_builtins(entry.game.options_type())
        with pytest.raises(TableRefused, match="agent-avenue cannot be played by people"):
            await tables.open(TableRequest(its_room.league, options, (PERSON, PERSON), "ann"))
        await tables.close()

    asyncio.run(test())
