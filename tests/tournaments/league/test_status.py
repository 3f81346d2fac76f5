"""What people read about the state of a league."""

import pytest

from tournaments.league.status import SeatStatus


@pytest.mark.parametrize(
    ("seat", "words"),
    [
        (SeatStatus("far@1", 1, 0, 0, "ann", "wait", 90), ""),
        (SeatStatus("far@1", 0, 1, 0, "ann", "wait", 90), ""),
        (
            SeatStatus("far@1", 0, 0, 0, "ann", "wait", 90),
            "its matches wait; if only they are left for 1 min 30 s, the run ends",
        ),
        (
            SeatStatus("far@1", 0, 0, None, "ann", "skip", 900),
            "if only its matches are left for 15 min, it is withdrawn",
        ),
    ],
)
def test_the_status_says_what_follows_while_a_bot_that_calls_is_away(seat: SeatStatus, words: str) -> None:
    assert seat.consequence == words
