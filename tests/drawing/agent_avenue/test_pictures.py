"""What a picture of Agent Avenue shows is what its viewer may know, and where it lies is where it is."""

import re
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace

from referee.drawing.agent_avenue.drawer import drawer
from referee.drawing.agent_avenue.layout import layout
from referee.drawing.agent_avenue.loop import point
from referee.drawing.agent_avenue.scene import seen_by_its_seat, whole
from referee.drawing.drawer import Layers
from referee.drawing.playback import Playback, ViewerMoment, by_everyone, by_seat
from referee.drawing.svg import Element
from referee.games.agent_avenue.describe import CARDS, NAMES
from referee.games.agent_avenue.pawns import space
from referee.games.agent_avenue.pieces import SPACES
from tests.drawing.matches import golden_match, random_match, watched
from tests.golden.tables import GOLDEN, TABLES

every_table = pytest.mark.parametrize("table", TABLES["agent-avenue"], ids=lambda it: it.name)


def words(layers: Layers, place: str) -> list[str]:
    """All that is written in one layer."""
    (layer,) = (layer for layer in layers if layer.name == place)
    found: list[str] = []
    waiting: list[Any] = list(layer.inside)
    while waiting:
        part = waiting.pop(0)
        if isinstance(part, Element):
            found += [it for it in part.inside if isinstance(it, str) and part.name == "text"]
            waiting += part.inside
    return found


def names_in(layers: Layers, place: str) -> Counter[str]:
    return Counter(word for word in words(layers, place) if word in NAMES.values())


def seen(played: Playback, seat: int) -> list[tuple[ViewerMoment, Layers]]:
    return [(sight, drawer.for_seat(sight.moment)) for sight in by_seat(played, seat)]


@every_table
def test_a_seats_scene_is_the_whole_one_without_what_it_may_not_know(table: Any) -> None:
    played = watched(random_match("agent-avenue", table, 4))
    for seat in range(table.seats):
        for sight in by_seat(played, seat):
            state = played.passages[sight.passage].state
            known = whole(replace(sight.moment, position=state))
            hidden = tuple(
                own if at == seat else replace(own, hand=None, discards=None) for at, own in enumerate(known.holdings)
            )
            face_down = known.face_down if state.laying[1] == seat else None
            assert seen_by_its_seat(sight.moment) == replace(known, holdings=hidden, face_down=face_down)


@every_table
def test_the_hands_of_others_are_backs_and_the_own_hand_has_names(table: Any) -> None:
    for sight, layers in seen(watched(random_match("agent-avenue", table, 4)), 0):
        view = sight.moment.position
        assert set(names_in(layers, "seat-0")) == {NAMES[agent] for agent in view.hand}
        for other in range(1, table.seats):
            assert not names_in(layers, f"seat-{other}")
            assert f"{view.seats[other].hand_count} in hand" in words(layers, f"seat-{other}")


def test_a_card_face_down_has_its_name_for_those_who_know_it_only() -> None:
    played = watched(random_match("agent-avenue", TABLES["agent-avenue"][0], 4))
    lies = [it for it in by_everyone(played) if it.moment.position.face_down is not None]
    assert lies
    for sight in lies:
        state = sight.moment.position
        both = Counter([NAMES[state.face_up], NAMES[state.face_down]])
        assert names_in(drawer.whole(sight.moment), "table") == both
        for seat in range(2):
            (own,) = (it for it in by_seat(played, seat) if it.passage == sight.passage)
            shown = names_in(drawer.for_seat(own.moment), "table")
            assert shown == (both if seat == state.active else Counter([NAMES[state.face_up]]))


@every_table
def test_pawns_stand_on_their_spaces_and_side_by_side_on_a_common_one(table: Any) -> None:
    places = layout(table.seats, market=table.options.mode == "advanced")
    for sight in by_everyone(watched(random_match("agent-avenue", table, 6))):
        (layer,) = (it for it in drawer.whole(sight.moment) if it.name == "pawns")
        spaces = [space(side, own.progress) for side, own in enumerate(sight.moment.position.sides)]
        for side, pawn in enumerate(layer.inside):
            x, y = map(float, re.findall(r"[-\d.]+", dict(pawn.attributes)["transform"]))
            aside = (side * 2 - 1) * 12 if spaces[0] == spaces[1] else 0
            at_x, at_y = point(spaces[side], places.bottom)
            assert (x, y) == pytest.approx((at_x + aside, at_y), abs=0.06)
            assert dict(pawn.attributes)["data-piece"] == f"pawn-{side}"


def test_the_spaces_of_the_loop_lie_at_equal_distances_and_mirror_each_other() -> None:
    bottom = layout(2, market=True).bottom
    points = [point(number, bottom) for number in range(SPACES)]
    for number in range(1, SPACES):
        assert points[number] == pytest.approx((480 - points[-number][0], points[-number][1]))
    ways = [point(number / 100, bottom) for number in range(SPACES * 100 + 1)]
    lengths = [((a - c) ** 2 + (b - d) ** 2) ** 0.5 for (a, b), (c, d) in pairwise(ways)]
    assert max(lengths) == pytest.approx(min(lengths), rel=0.01)


@every_table
def test_all_that_lies_open_is_written(table: Any) -> None:
    for sight in by_everyone(watched(random_match("agent-avenue", table, 8))):
        state, layers = sight.moment.position, drawer.whole(sight.moment)
        for side, own in enumerate(state.sides):
            assert set(names_in(layers, f"side-{side}")) == {NAMES[agent] for agent in own.recruited}
        assert str(len(state.deck)) in words(layers, "table")
        if state.market:
            offered = " ".join(words(layers, "market"))
            assert all(CARDS[card] in offered for card in state.market.offer)
            assert all(CARDS[card] in " ".join(words(layers, "away")) for card in state.market.discarded[:2])
            if state.market.resolving:
                assert CARDS[state.market.resolving] in " ".join(words(layers, "table"))


@pytest.mark.parametrize("ending", ["caught", "fault"])
def test_the_last_picture_says_who_has_won_and_why(ending: str) -> None:
    (golden,) = (it for it in GOLDEN if str(it) == f"agent-avenue/simple/{ending}")
    played = watched(golden_match(golden))
    *before, last = by_everyone(played)
    outcome = played.transcript.record.outcome
    who, why = words(drawer.whole(last.moment), "gauge")
    names = played.transcript.record.header.entries
    assert who == f"{names[outcome.places.index(1)]} wins"
    failed = [names[fault.seat] for fault in played.transcript.record.faults]
    assert why == ("fault of " + " and ".join(failed) if failed else "the pawn has caught the other one")
    assert not any("wins" in line for sight in before for line in words(drawer.whole(sight.moment), "gauge"))


def test_the_lead_is_written_and_drawn_towards_the_end_of_the_side_that_leads() -> None:
    for sight in by_everyone(watched(random_match("agent-avenue", TABLES["agent-avenue"][0], 6))):
        sides = sight.moment.position.sides
        ahead = sides[0].progress - sides[1].progress
        (line, *_) = words(drawer.whole(sight.moment), "gauge")
        if sight.moment.outcome is None:
            assert line == (
                f"player-{int(ahead < 0)} v1 leads by {abs(ahead)}; 7 catches" if ahead else "the sides are even"
            )
