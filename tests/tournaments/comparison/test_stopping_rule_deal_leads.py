import msgspec
from hypothesis import given
from hypothesis import strategies as st

from referee.core.outcome import Outcome
from tournaments.comparison.stopping_rule import DealLead, DealLeads
from tournaments.league.model import Fixture

NEW, OLD, OTHER = "new", "old", "other"
LINE_UPS = [(NEW, OLD), (OLD, NEW), (NEW, OTHER), (OTHER, OLD)]


def fixture(deal: int, rotation: int) -> Fixture:
    return Fixture(f"deal-{deal}/turn-{rotation}", "table", LINE_UPS[rotation], deal, rotation)


FIXTURES = [fixture(deal, rotation) for deal in range(3) for rotation in range(4)]


def result(of: Fixture) -> Outcome:
    """Some result, which follows from the fixture."""
    first = (of.deal + of.rotation) % 3
    return Outcome("over", ((1, 2), (2, 1), (1, 1))[first], ())


def deals(planned: int = 3) -> DealLeads:
    return DealLeads(NEW, OLD, [(deal, 4) for deal in range(planned)])


def settle(found: DealLeads, *fixtures: Fixture) -> list[DealLead]:
    for each in fixtures:
        found.settle(each, result(each), {OLD} if each == fixture(1, 1) else set())
    return list(found.ready())


IN_ORDER = settle(deals(), *FIXTURES)


def test_a_lead_is_the_mean_share_of_the_new_bot_minus_that_of_the_old() -> None:
    # Deal 0: new wins, new wins, new ties with the other; the old one wins against the other.
    assert IN_ORDER[0] == DealLead((1 + 1 + 0.5) / 3 - (0 + 0 + 0) / 3, 4)
    assert len(IN_ORDER) == 3


def test_faults_are_counted_by_bot() -> None:
    assert [(deal.new_faults, deal.old_faults) for deal in IN_ORDER] == [(0, 0), (0, 1), (0, 0)]


@given(st.permutations(FIXTURES), st.integers(1, 12))
def test_in_whatever_order_and_portions_matches_come_the_deals_are_the_same(order: list[Fixture], portion: int) -> None:
    found, told = deals(), []
    for start in range(0, len(order), portion):
        told += settle(found, *order[start : start + portion])
    assert msgspec.json.encode(told) == msgspec.json.encode(IN_ORDER)


def test_a_deal_waits_until_it_is_complete_and_so_do_those_after_it() -> None:
    found = deals()
    assert settle(found, *FIXTURES[1:]) == []
    assert settle(found, FIXTURES[0]) == IN_ORDER
    assert settle(found) == []


def test_a_deal_with_an_abandoned_match_is_left_out() -> None:
    found = deals()
    found.abandon(fixture(0, 2))
    assert settle(found, *FIXTURES) == IN_ORDER[1:]
    assert found.left_out == 1


def test_a_deal_is_left_out_only_when_its_turn_comes() -> None:
    found = deals()
    found.abandon(fixture(2, 0))
    assert settle(found, *FIXTURES[4:]) == []
    assert found.left_out == 0
