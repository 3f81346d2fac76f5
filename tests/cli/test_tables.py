import msgspec

from referee.cli.tables import standings_notes
from tournaments.sides import SideRecord
from tournaments.standings import MatchCounts, Standings

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


def test_where_sides_do_not_differ_nothing_is_told_of_them() -> None:
    assert not any("side" in note for note in standings_notes(EMPTY))
