from tournaments.league.model import Entry
from tournaments.league.roster import RosterChange, planned, roster, withdrawn

ANN, BOB, CID = (Entry(f"{name}@1", f"/bots/{name}") for name in ("ann", "bob", "cid"))


def entered(entry: Entry, waves: int = 0) -> RosterChange:
    return RosterChange(entry.name, entry, waves, 1)


def left(entry: Entry, waves: int = 0, wave: int | None = None) -> RosterChange:
    return RosterChange(entry.name, None, waves, 1, wave)


def test_who_was_entered_comes_after_the_bots_of_the_file_in_the_order_of_entering() -> None:
    assert roster([BOB], [entered(CID), entered(ANN)]) == (BOB, CID, ANN)


def test_who_was_withdrawn_is_gone_whether_from_the_file_or_entered() -> None:
    assert roster([ANN, BOB], [entered(CID), left(ANN), left(CID)]) == (BOB,)
    assert roster([ANN], [left(BOB)]) == (ANN,)


def test_who_comes_back_is_the_last_in_the_order() -> None:
    assert roster([ANN, BOB], [left(ANN), entered(ANN)]) == (BOB, ANN)


def test_a_bot_that_is_withdrawn_leaves_the_wave_that_is_under_way_and_no_complete_one() -> None:
    changes = [left(ANN), left(BOB, 1, 0), entered(BOB, 2), left(CID, 3, 2), left(BOB, 3, 2), left(ANN, 3)]
    assert withdrawn(changes) == {0: {BOB.name}, 2: {BOB.name, CID.name}}
    assert withdrawn([]) == {}


def test_a_bot_that_comes_back_into_a_league_without_issued_waves_plays_after_all() -> None:
    assert withdrawn([left(ANN, 0, 0), left(BOB, 0, 0), entered(ANN)]) == {0: {BOB.name}}


def test_a_plan_is_made_for_those_that_play_and_those_that_left_it() -> None:
    gone = left(BOB, 0, 0), left(CID)
    assert planned([ANN, BOB, CID], gone) == (ANN, BOB)
    assert planned([ANN], gone) == (ANN, Entry(BOB.name, ""))
