"""The file of the next league: its name, its times, and what is left out of it."""

import tomllib
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from tournaments.config.next_league import next_league, next_name

DAY_S = 86_400
BERLIN = ZoneInfo("Europe/Berlin")
WEEK = """# The third week.
name = "week03"
game = "agent-avenue"
deals = 10
seed = "{seed}"
store = "course.sqlite"
starts = 2026-10-22T18:00:00+02:00  # after the lecture
ends = "2026-10-28T08:00:00+01:00"

[submissions]
opens = 2026-10-15T18:00:00+02:00
closes = 2026-10-22T12:00:00+02:00

[[tables]]
name = "two"
seats = 2
"""


def written(after_s: int = 7 * DAY_S, zone: ZoneInfo | None = None, text: str = WEEK) -> dict[str, object]:
    return tomllib.loads(next_league(text, after_s, zone))


@pytest.mark.parametrize(
    ("name", "following"),
    [("week03", "week04"), ("week09", "week10"), ("w99", "w100"), ("cup", "cup-2"), ("cup-2", "cup-3"), ("7", "8")],
)
def test_the_last_number_of_a_name_is_counted_on(name: str, following: str) -> None:
    assert next_name(name) == following


def test_the_next_league_takes_its_bots_from_the_one_before() -> None:
    league = written()
    assert league["name"] == "week04"
    assert league["submissions"]["from"] == "week03"  # type: ignore[index]


def test_a_league_that_takes_no_submissions_yet_does_so_from_then_on() -> None:
    text = 'name = "cup"\ngame = "agent-avenue"\ndeals = 1\n[[tables]]\nname = "two"\nseats = 2\n'
    assert written(text=text)["submissions"] == {"from": "cup"}


def test_the_seed_is_left_out_since_the_one_before_becomes_public_but_a_rehearsal_keeps_it() -> None:
    assert "seed" not in written()
    assert written(text="rehearsal = true\n" + WEEK)["seed"] == "{seed}"


def test_all_times_move_and_keep_their_distance_from_utc() -> None:
    league = written(DAY_S)
    assert league["starts"] == datetime.fromisoformat("2026-10-23T18:00:00+02:00")
    assert league["ends"] == "2026-10-29T08:00:00+01:00"
    assert league["submissions"]["opens"] == datetime.fromisoformat("2026-10-16T18:00:00+02:00")  # type: ignore[index]
    assert league["submissions"]["closes"] == datetime.fromisoformat("2026-10-23T12:00:00+02:00")  # type: ignore[index]


def test_in_a_zone_the_hour_stays_when_the_clocks_change() -> None:
    assert str(written(zone=BERLIN)["starts"]) == "2026-10-29 18:00:00+01:00"


def test_an_hour_that_the_change_of_the_clocks_leaves_out_is_an_hour_later() -> None:
    text = WEEK.replace("2026-10-22T18:00:00+02:00", "2027-03-27T02:30:00+01:00")
    assert str(written(DAY_S, BERLIN, text)["starts"]) == "2027-03-28 03:30:00+02:00"


def test_comments_and_the_order_of_the_keys_stay() -> None:
    text = next_league(WEEK, 7 * DAY_S)
    assert "# The third week." in text
    assert "# after the lecture" in text
    assert list(tomllib.loads(text)) == [key for key in tomllib.loads(WEEK) if key != "seed"]


def test_a_knock_out_gets_the_seeds() -> None:
    text = WEEK + '[format]\nkind = "knockout"\n'
    assert tomllib.loads(next_league(text, DAY_S, None, ["ann", "bob"]))["format"]["seeds"] == ["ann", "bob"]
