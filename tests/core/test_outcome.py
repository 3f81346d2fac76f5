from referee.core.outcome import FAULT, Side, faulted

TWO = (Side("a", (0, 2)), Side("b", (1, 3)))


def test_without_sides_the_offender_is_last_and_the_others_share_the_first_place() -> None:
    assert faulted((), 4, frozenset({1})).places == (1, 4, 1, 1)


def test_several_offenders_share_the_last_place() -> None:
    assert faulted((), 4, frozenset({0, 3})).places == (3, 1, 1, 3)


def test_with_two_sides_the_offenders_whole_side_is_last() -> None:
    assert faulted(TWO, 4, frozenset({2})).places == (3, 1, 3, 1)


def test_offenders_on_both_sides_are_equal() -> None:
    outcome = faulted(TWO, 4, frozenset({0, 1}))
    assert outcome.places == (1, 1, 1, 1)
    assert outcome.ending == FAULT


def test_where_all_are_one_side_a_fault_loses_the_match() -> None:
    assert faulted((Side("all", (0, 1, 2)),), 3, frozenset({1})).places == (2, 2, 2)
