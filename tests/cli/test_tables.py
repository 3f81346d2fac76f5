import msgspec

from referee.cli.tables import standings_notes
from tournaments.sides import SideRecord
from tournaments.standings import MatchCounts, Standing, Standings

EMPTY = Standings("autumn", "d1", MatchCounts(9, 9, 0, 0, 0), (), (), (), ())


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
