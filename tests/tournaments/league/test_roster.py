from tournaments.league.model import Entry
from tournaments.league.roster import RosterChange, roster, withdrawn

ANN, BOB, CID = (Entry(f"{name}@1", f"/bots/{name}") for name in ("ann", "bob", "cid"))


def entered(entry: Entry, waves: int = 0) -> RosterChange:
    return RosterChange(entry.name, entry, waves, 1)


def left(entry: Entry, waves: int = 0) -> RosterChange:
    return RosterChange(entry.name, None, waves, 1)


def test_who_was_entered_comes_after_the_bots_of_the_file_in_the_order_of_entering() -> None:
    assert roster([BOB], [entered(CID), entered(ANN)]) == (BOB, CID, ANN)


def test_who_was_withdrawn_is_gone_whether_from_the_file_or_entered() -> None:
    assert roster([ANN, BOB], [entered(CID), left(ANN), left(CID)]) == (BOB,)
    assert roster([ANN], [left(BOB)]) == (ANN,)


def test_who_comes_back_is_the_last_in_the_order() -> None:
    assert roster([ANN, BOB], [left(ANN), entered(ANN)]) == (BOB, ANN)


def test_a_bot_that_is_withdrawn_leaves_the_wave_that_is_being_played() -> None:
    changes = [left(ANN), left(BOB, 1), entered(BOB, 2), left(CID, 3), left(BOB, 3)]
    assert withdrawn(changes) == {0: {BOB.name}, 2: {BOB.name, CID.name}}
    assert withdrawn([]) == {}
