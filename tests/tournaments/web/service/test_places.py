"""So many things go on at once, in all and of each owner, and a place is free again when its thing has ended."""

from contextlib import ExitStack

import pytest

from tournaments.web.service.places import Places
from tournaments.web.service.replies import Problem


def refusal(places: Places, owner: str) -> tuple[int, str, str] | None:
    """Why an owner gets no further place now; None: there is one."""
    try:
        with places.one(owner):
            return None
    except Problem as problem:
        return problem.status, problem.detail, problem.headers["retry-after"]


def test_who_has_too_many_is_told_so_before_all_places_are_taken() -> None:
    places = Places(3, 2, "full", "enough", retry_after_s=7)
    with places.one("eva"), places.one("eva"):
        assert refusal(places, "eva") == (429, "enough", "7")
        assert refusal(places, "max") is None
        with places.one("max"):
            assert refusal(places, "ann") == (503, "full", "7")
        assert refusal(places, "ann") is None


def test_without_a_limit_in_all_only_each_owner_has_one() -> None:
    places = Places(None, 1, "", "enough", retry_after_s=7)
    with ExitStack() as stack:
        for number in range(1_000):
            stack.enter_context(places.one(str(number)))
        assert refusal(places, "0") == (429, "enough", "7")


def test_a_thing_that_fails_gives_its_place_back() -> None:
    places = Places(1, 1, "full", "enough", retry_after_s=7)
    with pytest.raises(ArithmeticError), places.one("eva"):
        raise ArithmeticError
    assert refusal(places, "max") is None
