"""The lobby offers the seats that a game has with each choice of its options."""

from referee.wire.registry import game_entry
from tournaments.web.pages.visitors import Sides, seating


def tables(game: str) -> tuple[tuple[str, ...], dict[str, dict[int, Sides]]]:
    found = seating(game_entry(game).game)
    return found.options, found.tables


def test_only_the_line_up_decides_on_the_seats_of_agent_avenue() -> None:
    options, by_line_up = tables("agent-avenue")
    assert options == ("line_up",)
    assert by_line_up == {"1v1": {2: (0, 1)}, "2v2": {4: (0, 1, 0, 1)}, "2v1": {3: by_line_up["2v1"][3]}}
    assert sorted(map(str, by_line_up["2v1"][3])) in (["0", "0", "1"], ["0", "1", "1"])


def test_special_roles_need_more_players_and_luck_decides_who_plays_together() -> None:
    options, by_roles = tables("inside-job")
    assert "roles" in options
    assert {tuple(each) for each in by_roles.values()} == {(3, 4, 5), (4, 5)}
    assert {side for each in by_roles.values() for sides in each.values() for side in sides} == {None}


def test_a_game_whose_options_change_no_seats_has_one_table() -> None:
    options, only = tables("agonia")
    assert options == ()
    assert {key: tuple(each) for key, each in only.items()} == {"": (2, 3, 4, 5)}
