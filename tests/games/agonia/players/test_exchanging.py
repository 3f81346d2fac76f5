"""Exchanges between neighbours: AG-45."""

import pytest

from referee.games.agonia.position.events import Exchanged
from tests.games.agonia.scene import XY
from tests.games.agonia.table import Player, Table, named, seated


def two(*, hand: tuple[str, ...] = ("granada",), others: tuple[str, ...] = ("cepo",), at: XY = (4, 9)) -> Table:
    """Lía is to act, then Ismael, who stands `at` a cell."""
    return seated(Player("lia", (3, 9), hand, "pistola", wears="honda"), Player("ismael", at, others, "revolver"))


@pytest.mark.parametrize(("own", "other"), [((3, 9), (4, 9)), ((0, 8), (1, 9)), ((7, 5), (7, 4)), ((7, 8), (6, 9))])
def test_ag_45_the_partner_is_on_one_of_the_8_neighbours(own: XY, other: XY) -> None:
    table = seated(Player("lia", own, ["granada"]), Player("ismael", other))
    assert table.may("offer") == ["offer 1 granada for -"]


@pytest.mark.parametrize(("own", "other"), [((3, 9), (5, 9)), ((0, 4), (7, 4))])
def test_ag_45_who_is_farther_away_is_no_partner_not_even_over_the_walkway(own: XY, other: XY) -> None:
    assert seated(Player("lia", own, ["granada"]), Player("ismael", other)).may("offer") == []


def test_ag_45_one_card_or_none_for_one_or_none_but_not_none_both_ways() -> None:
    assert two(hand=("granada", "foso"), others=("cepo", "honda")).may("offer") == [
        "offer 1 - for cepo",
        "offer 1 - for honda",
        "offer 1 granada for -",
        "offer 1 granada for cepo",
        "offer 1 granada for honda",
        "offer 1 foso for -",
        "offer 1 foso for cepo",
        "offer 1 foso for honda",
    ]


def test_ag_45_equipped_cards_are_not_exchanged() -> None:
    assert two(hand=(), others=()).may("offer") == []


def test_ag_45_every_adjacent_player_is_a_partner_in_seat_order() -> None:
    players = (
        Player("lia", (3, 9), ["foso"]),
        Player("ismael", (4, 9)),
        Player("vera", (2, 9)),
        Player("marta", (5, 9)),
    )
    assert seated(*players).may("offer") == ["offer 1 foso for -", "offer 2 foso for -"]


def test_ag_45_the_partner_is_asked() -> None:
    table = two().does("offer 1 granada for cepo")
    assert (table.asked, table.may()) == (1, ["yes", "no"])
    asked = table.view(0).asked
    assert asked == table.view(1).asked == table.state.agenda[0]


def test_ag_45_if_the_partner_accepts_the_cards_change_hands() -> None:
    table = two().does("offer 1 granada for cepo").does("yes")
    assert (table.hand(0), table.hand(1)) == (["cepo"], ["granada"])
    (told,) = table.of(Exchanged)
    assert (told.seat, told.partner, named(told.gave), named(told.took)) == (0, 1, "granada", "cepo")


def test_ag_45_if_not_they_do_not() -> None:
    table = two().does("offer 1 granada for cepo").does("no")
    assert (table.hand(0), table.hand(1), table.of(Exchanged)) == (["granada"], ["cepo"], [])


@pytest.mark.parametrize("what", ["offer 1 granada for -", "offer 1 - for cepo"])
def test_ag_45_a_card_may_go_one_way_only(what: str) -> None:
    table = two().does(what).does("yes")
    assert sorted(len(table.hand(seat)) for seat in (0, 1)) == [0, 2]


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_ag_45_the_action_is_spent_either_way(answer: str) -> None:
    table = two().does("offer 1 granada for cepo").does(answer)
    assert (table.asked, bool(table.may("search"))) == (1, True)


def test_ag_24_free_cards_may_follow_an_exchange() -> None:
    players = (Player("bruno", (3, 9), ["foso"]), Player("ismael", (4, 9), ["granada"]))
    table = seated(*players).does("offer 1 foso for granada").does("yes")
    assert (table.asked, bool(table.may("throw")), table.may("search")) == (0, True, [])


def test_ag_45_then_hand_limits_the_active_players_first() -> None:
    full = ("barricada", "foso", "cepo")
    table = two(hand=full, others=full).does("offer 1 barricada for -").does("yes")
    assert table.asked == 1
    assert table.may() == ["discard barricada", "discard foso", "discard cepo"]
    assert table.does("discard foso").may("search")
    players = (Player("vera", (3, 9), [*full, "foso"]), Player("ismael", (4, 9), ["honda"]))
    table = seated(*players).does("offer 1 - for honda").does("yes")
    assert (table.asked, len(table.hand(0))) == (0, 5)


def test_ag_45_both_may_have_too_many() -> None:
    """Both hold one card more than their limits. The exchange does not change that."""
    four = ("barricada", "foso", "cepo", "honda")
    table = two(hand=four, others=four).does("offer 1 foso for cepo").does("yes")
    assert (table.asked, table.does("discard honda").asked) == (0, 1)
