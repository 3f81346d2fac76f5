"""What is drawn is the match: all of it for everyone, and for a seat what it was sent."""

from functools import lru_cache

import pytest

from referee.core.outcome import Outcome
from referee.drawing.playback import by_everyone, by_seat
from referee.match.conversation import Chosen
from referee.match.match import Ask, Close
from referee.match.replay import Replay
from referee.match.transcript import Transcript
from tests.drawing.matches import DRAWN_GOLDEN, EVERY_TABLE, golden_match, random_match, rules, watched
from tests.golden.tables import Golden, GoldenTable

every_table = pytest.mark.parametrize(
    ("game", "table"), [pytest.param(*it, id=f"{it[0]}-{it[1].name}") for it in EVERY_TABLE], scope="module"
)
"""All tests of a table come together, so that mostly one process plays its match."""
FAULTS = [golden for golden in DRAWN_GOLDEN if golden.ending == "fault"]


@lru_cache(2)
def match_at(game: str, table: GoldenTable) -> Transcript:
    return random_match(game, table, 1)


@every_table
def test_everyone_sees_all_events_all_decisions_and_the_outcome(game: str, table: GoldenTable) -> None:
    transcript = match_at(game, table)
    walk = Replay(rules(game), transcript)
    asks = [(step.request, step.reply) for step in walk.steps() if isinstance(step.request, Ask)]
    sights = list(by_everyone(watched(transcript)))
    assert [event for sight in sights for event in sight.moment.events] == walk.match.events
    assert [(it.ask, Chosen(it.chosen or 0)) for sight in sights for it in sight.decisions] == asks
    assert [it.us for sight in sights for it in sight.decisions] == [spent.us for spent in transcript.metadata.spent]
    assert [sight.moment.outcome for sight in sights] == [None] * (len(sights) - 1) + [transcript.record.outcome]


@every_table
def test_what_a_seat_sees_is_what_it_was_sent(game: str, table: GoldenTable) -> None:
    transcript = match_at(game, table)
    played = watched(transcript)
    for seat in range(table.seats):
        steps = [it.request for it in Replay(rules(game), transcript).steps() if it.request.seat == seat]
        asks: list[Ask] = [it for it in steps if isinstance(it, Ask)]
        (close,) = (it for it in steps if isinstance(it, Close))
        sights = list(by_seat(played, seat))
        asked = [sight for sight in sights if sight.decisions]
        assert [it.ask for sight in asked for it in sight.decisions] == asks
        assert [sight.moment.position for sight in asked] == [ask.view for ask in asks]
        assert [sight.moment.questions[0].legal for sight in asked] == [ask.legal for ask in asks]
        assert [event for sight in sights for event in sight.moment.events] == [
            *(event for ask in asks for event in ask.events),
            *close.events,
        ]
        assert sights[-1].moment.outcome == Outcome(close.outcome.ending, close.outcome.places, ())


@pytest.mark.slow
@every_table
def test_every_position_of_a_seat_is_its_view(game: str, table: GoldenTable) -> None:
    played = watched(match_at(game, table))
    for seat in range(table.seats):
        for sight in by_seat(played, seat):
            view = played.game.view(played.passages[sight.passage].state, seat)
            assert sight.moment.position == view
            assert "\n".join(sight.lines) == played.game.describe_view(view)


@every_table
def test_a_seat_is_shown_the_names_of_no_others(game: str, table: GoldenTable) -> None:
    played = watched(match_at(game, table))
    for seat in range(table.seats):
        for sight in by_seat(played, seat):
            others = {name for at, name in enumerate(sight.moment.names) if at != seat}
            assert others == {f"seat {at + 1}" for at in range(table.seats) if at != seat}


@pytest.mark.parametrize("golden", FAULTS, ids=str)
def test_a_seat_that_failed_is_not_told_the_outcome_and_the_others_are(golden: Golden) -> None:
    transcript = golden_match(golden)
    at_fault = {fault.seat for fault in transcript.record.faults}
    played = watched(transcript)
    for seat in range(played.seats):
        sights = list(by_seat(played, seat))
        assert (sights[-1].moment.outcome is None) == (seat in at_fault)
        failed = [it for sight in sights for it in sight.decisions if it.chosen is None]
        assert len(failed) == (seat in at_fault)
