import msgspec
from rich.console import Console
from rich.table import Table

from tournaments.cli.tables import cross_play_table, standings_notes, standings_table
from tournaments.cooperation import Cooperation, TeamRecord
from tournaments.sides import SideRecord
from tournaments.standings import MatchCounts, Standing, Standings

EMPTY = Standings("autumn", "d1", MatchCounts(9, 9, 0, 0, 0), (), (), (), (), ())


def test_the_share_of_every_side_is_told_table_by_table() -> None:
    sides = (
        SideRecord("pairs", "A", 20, 6, 0.3),
        SideRecord("pairs", "B", 20, 14, 0.7),
        SideRecord("trios", "A", 3, 1, 1 / 3),
    )
    notes = list(standings_notes(msgspec.structs.replace(EMPTY, sides=sides)))
    assert "won by side at table pairs: A 30.0% of 20, B 70.0% of 20" in notes
    assert "won by side at table trios: A 33.3% of 3" in notes


def test_the_share_that_each_bot_won_on_a_side_is_told_below() -> None:
    sides = (SideRecord("four", "agents", 60, 21, 0.35), SideRecord("four", "insider", 20, 13, 0.65))
    line = Standing(1, "ann@1", 25.0, 1.0, (24.0, 26.0), 80, 34, 0, 46, 0, 0.1, sides)
    notes = list(standings_notes(msgspec.structs.replace(EMPTY, standings=(line,), sides=sides)))
    at = notes.index("won by side at table four: agents 35.0% of 60, insider 65.0% of 20")
    assert notes[at + 1] == "  ann@1: agents 35.0% of 60, insider 65.0% of 20"


def test_where_sides_do_not_differ_nothing_is_told_of_them() -> None:
    assert not any("side" in note for note in standings_notes(EMPTY))


def printed(table: Table) -> list[str]:
    console = Console(width=200)
    with console.capture() as capture:
        console.print(table)
    return [" ".join(line.split()) for line in capture.get().splitlines() if line.strip()]


def test_a_bot_without_an_interval_has_a_dash_and_a_note_says_how_many_deals_it_takes() -> None:
    lines = (
        Standing(1, "ann@1", 26.5, 1.0, (25.0, 28.0), 80, 80, 0, 0, 0, 0.1, ()),
        Standing(2, "bob@1", 23.5, 8.0, None, 2, 0, 0, 2, 0, 0.1, ()),
    )
    table = msgspec.structs.replace(EMPTY, standings=lines, separated=(False,))
    *_, ann, bob = printed(standings_table(table))
    assert ann == "1 ann@1 26.50 25.00..28.00 80 80 0 0 0 0.10"
    assert bob == "2 bob@1 23.50 - 2 0 0 2 0 0.10"
    assert "no interval below 6 deals played: bob@1" in list(standings_notes(table))
    assert not any("no interval" in note for note in standings_notes(EMPTY))


def test_the_cross_play_table_has_a_line_and_a_column_for_every_bot() -> None:
    records = (
        TeamRecord(("ann",), 6, 3, 0.5, 91.6),
        TeamRecord(("bob",), 4, 1, 0.25, None),
        TeamRecord(("ann", "ann"), 2, 2, 1.0, 120.0),
        TeamRecord(("ann", "bob"), 4, 1, 0.25, 77.4),
    )
    *title, heading, _, ann, bob = printed(cross_play_table(Cooperation(("mixed", "alone"), 2, records)))
    assert " ".join(title) == "mixed, alone: share won and mean score of 2 deals"
    assert heading == "bot all its matches with ann with bob"
    assert ann == "ann 50.0% 92 100.0% 120 25.0% 77"
    assert bob == "bob 25.0% 25.0% 77 -"
