"""Places and sides of a game that is over: IJ-39."""

import pytest

from referee.core.outcome import Outcome
from tests.games.inside_job.table import FOUR, GAME, Table


def over(table: Table) -> Outcome:
    assert table.outcome is not None
    return table.outcome


def sides(table: Table) -> dict[str, list[int]]:
    return {side.name: list(side.seats) for side in over(table).sides}


def by_missions(*roles: str, revealed: tuple[int, ...] = (), partner: int | None = None) -> Table:
    """A game that the agents have won by missions."""
    table = Table.arranged(*roles, completed=6, revealed=revealed, partner=partner)
    table.won_by(3, completes=True)
    return table


def test_ij_39_all_who_win_are_first_and_all_who_lose_share_the_place_after_them() -> None:
    assert over(by_missions(*FOUR)).places == (4, 1, 1, 1)
    table = Table.arranged(*FOUR, tokens=(4, 1, 1, 1))
    table.won_by(0)
    assert over(table).places == (1, 2, 2, 2)


def test_ij_39_neutrals_win_or_lose_by_themselves() -> None:
    assert over(by_missions("insider", "shady", "agent", "agent")).places == (4, 1, 1, 1)
    assert over(by_missions("insider", "agent", "shady", "agent")).places == (3, 1, 3, 1)


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        (FOUR, {"agents": [1, 2, 3], "insider": [0]}),
        (("agent", "insider", "agent", "agent"), {"agents": [0, 2, 3], "insider": [1]}),
        (("wired", "insider", "paranoid", "agent"), {"agents": [0, 2, 3], "insider": [1]}),
        (("prof_no", "sleeper", "agent", "agent"), {"agents": [1, 2, 3], "prof_no": [0]}),
        (("insider", "decoy", "agent", "agent"), {"agents": [2, 3], "insider": [0], "decoy": [1]}),
        (("insider", "shady", "sleeper", "agent"), {"agents": [2, 3], "insider": [0], "shady": [1]}),
    ],
)
def test_ij_39_sides_are_the_agents_the_insider_and_every_neutral_alone(
    roles: tuple[str, ...], expected: dict[str, list[int]]
) -> None:
    assert sides(by_missions(*roles)) == expected


def test_ij_39_an_accomplice_is_a_side_of_its_own_also_where_it_wins_with_its_partner() -> None:
    table = by_missions("insider", "accomplice", "agent", "agent", partner=2)
    assert sides(table) == {"agents": [2, 3], "insider": [0], "accomplice": [1]}
    assert over(table).places == (4, 1, 1, 1)


def test_ij_39_a_revealed_sleeper_is_on_the_insider_s_side() -> None:
    assert sides(by_missions("insider", "sleeper", "agent", "agent", revealed=(1,))) == {
        "agents": [2, 3],
        "insider": [0, 1],
    }


def test_ij_39_no_side_is_fixed_before_play() -> None:
    table = Table.arranged(*FOUR)
    assert GAME.sides(table.state.options, 4) == ()
