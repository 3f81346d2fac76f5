from referee.core.outcome import FAULT, Outcome, Side, faulted
from referee.match.transcript import FaultKind, FaultMark
from tournaments.contests import block, contest
from tournaments.model import Fixture, Played
from tournaments.rating import Member

EVEN_AND_ODD = (Side("even", (0, 2)), Side("odd", (1, 3)))


def fixture(*bots: str, deal: int = 3, rotation: int = 0) -> Fixture:
    return Fixture(f"game/table/{'+'.join(bots)}/deal-{deal}/turn-{rotation}", "table", bots, deal, rotation)


def played(of: Fixture, outcome: Outcome, *offenders: int) -> Played:
    seats = len(of.entries)
    faults = tuple(FaultMark(seat, 2, FaultKind.CRASH) for seat in offenders)
    return Played(of.id, "digest", of.entries, outcome, faults, (1,) * seats, (1,) * seats, 0)


def failed(of: Fixture, sides: tuple[Side, ...], *offenders: int) -> Played:
    return played(of, faulted(sides, len(of.entries), frozenset(offenders)), *offenders)


def members(*names: str, updated: bool = True) -> tuple[Member, ...]:
    return tuple(Member(name, updated=updated) for name in names)


def test_without_sides_every_seat_is_a_team_at_its_place() -> None:
    of = fixture("a", "b", "c")
    result = contest(of, played(of, Outcome("sold", (2, 1, 2), ())))
    assert result.teams == (members("a"), members("b"), members("c"))
    assert result.places == (2, 1, 2)


def test_sides_are_the_teams_as_they_turned_out() -> None:
    of = fixture("a", "b", "c", "d")
    result = contest(of, played(of, Outcome("sold", (2, 1, 2, 1), EVEN_AND_ODD)))
    assert result.teams == (members("a", "c"), members("b", "d"))
    assert result.places == (2, 1)


def test_a_fault_in_a_two_sided_match_costs_the_side_and_the_partner_learns_nothing() -> None:
    of = fixture("a", "b", "c", "d")
    result = contest(of, failed(of, EVEN_AND_ODD, 2))
    assert result.teams == ((*members("a", updated=False), *members("c")), members("b", "d"))
    assert result.places == (3, 1)


def test_faults_on_both_sides_are_a_draw_of_the_offenders_alone() -> None:
    of = fixture("a", "b", "c", "d")
    result = contest(of, failed(of, EVEN_AND_ODD, 0, 3))
    assert [[member.updated for member in team] for team in result.teams] == [[True, False], [False, True]]
    assert result.places[0] == result.places[1]


def test_a_fault_in_a_match_of_one_against_one_is_an_ordinary_loss() -> None:
    of = fixture("a", "b")
    for sides in ((), (Side("a", (0,)), Side("b", (1,)))):
        result = contest(of, failed(of, sides, 0))
        assert result.teams == (members("a"), members("b"))
        assert result.places == (2, 1)


def test_a_fault_among_many_is_the_offenders_loss_to_the_others_who_learn_nothing() -> None:
    of = fixture("a", "b", "c")
    result = contest(of, failed(of, (), 1))
    assert result.teams == (members("a", updated=False), members("b"), members("c", updated=False))
    assert result.places == (1, 3, 1)


def test_three_sides_are_no_two_sided_match() -> None:
    sides = (Side("first", (0, 1)), Side("second", (2,)), Side("third", (3,)))
    of = fixture("a", "b", "c", "d")
    outcome = Outcome(FAULT, (1, 1, 4, 1), sides)
    result = contest(of, played(of, outcome, 2))
    assert [[member.updated for member in team] for team in result.teams] == [[False, False], [True], [False]]


def test_a_block_is_one_deal_of_one_group_in_all_rotations() -> None:
    turned = fixture("b", "a", rotation=1)
    assert block(fixture("a", "b")) == block(turned)
    assert len({block(fixture("a", "b")), block(fixture("a", "b", deal=4)), block(fixture("a", "c"))}) == 3
