"""A seat's page of a match and of another that it cannot tell from it are equal, byte for byte."""

from collections.abc import Iterable
from itertools import islice
from random import Random

import pytest

from referee.drawing.drawer import AnyDrawer
from referee.drawing.page.html import page_of_seat
from referee.drawing.playback import Playback, by_everyone, watch
from referee.drawing.registry import drawer
from referee.match.conversation import Chosen, Ready
from referee.match.match import Ask, Match, Open
from referee.match.terms import Clock
from referee.wire.registry import games
from tests.conftest import Tell
from tests.drawing.matches import drawn_games
from tests.golden.tables import GoldenTable
from tests.leaks.comparing import Pair, whole_pairs
from tests.leaks.planted import OrdersActions, Planted, ShowsANumber
from tests.leaks.proofs import PROOFS, Proof
from tests.leaks.streams import header_of
from tests.leaks.worlds import Course
from tests.leaks.wrapped import Arranged

DRAWN = [proof for proof in PROOFS if proof.game in drawn_games()]
QUICK = [(proof, table) for proof in DRAWN for table in proof.tables[::4]]
every_quick_table = pytest.mark.parametrize(
    ("proof", "table"), [pytest.param(*it, id=f"{it[0].game}-{it[1].name}") for it in QUICK]
)
every_drawn_table = pytest.mark.parametrize(
    ("proof", "table"),
    [pytest.param(proof, table, id=f"{proof.game}-{table.name}") for proof in DRAWN for table in proof.tables],
)


def played(proof: Proof, table: GoldenTable, course: Course, leak: type[Planted] | None = None) -> Playback:
    """The match with this luck and these choices, by the rules or by rules with a leak."""
    game = Arranged(proof.entry.game, course.draws).rules
    game = leak(game, proof.lore).rules if leak else game
    match = Match(game, header_of(game, table.options, table.seats), Clock())
    choices = iter(course.choices)
    left = dict[int, object]()
    for request in match:
        if isinstance(request, Open):
            match.reply(Ready())
        elif isinstance(request, Ask):
            left = left or dict(next(choices))
            match.reply(Chosen(request.legal.index(left.pop(request.seat))))
    return watch(game, match.transcript())


def compared(proof: Proof, pair: Pair, by: AnyDrawer) -> bool:
    """Compare both pages of the seat. Returns whether the pictures of everyone differ, as they should if cards do."""
    first, second = (played(proof, pair.table, course) for course in (pair.first, pair.second))
    assert page_of_seat(first, by, pair.seat) == page_of_seat(second, by, pair.seat)
    moments = zip(by_everyone(first), by_everyone(second), strict=True)
    return any(by.whole(one.moment) != by.whole(other.moment) for one, other in moments)


def compare(proof: Proof, found: Iterable[Pair]) -> int:
    """How many pairs of whole matches were compared in which something hidden differed."""
    return sum(compared(proof, it, drawer(games()[proof.game].game)) for it in found if it.exchanged)


@pytest.mark.slow
@every_quick_table
def test_a_seat_gets_the_same_page_in_a_match_that_it_cannot_tell_from_another(
    proof: Proof, table: GoldenTable
) -> None:
    """Of two of its seats, in one match; make ci-leaks takes all seats in many."""
    assert compare(proof, islice(whole_pairs(proof, table, 1, Random(19)), 2)) >= 1


@pytest.mark.leaks
@pytest.mark.timeout(3_600)  # a table of five seats takes half a minute of processor time
@pytest.mark.parametrize("seed", [19, 20])
@every_drawn_table
def test_a_seat_gets_the_same_page_in_many_matches_that_it_cannot_tell_apart(
    proof: Proof, table: GoldenTable, seed: int, tell: Tell
) -> None:
    different = compare(proof, whole_pairs(proof, table, 8, Random(seed)))
    tell(
        f"{proof.game}/{table.name}, pages of a seat in two worlds, seed {seed}",
        {"pairs in which something hidden differs": different},
    )
    assert different >= 6


@pytest.mark.slow
@pytest.mark.parametrize("leak", [ShowsANumber, OrdersActions])
@pytest.mark.parametrize("proof", DRAWN, ids=lambda it: it.game)
def test_a_planted_leak_makes_pages_differ(proof: Proof, leak: type[Planted]) -> None:
    def differ(pair: Pair) -> bool:
        pages = (
            page_of_seat(played(proof, pair.table, course, leak), drawer(games()[proof.game].game), pair.seat)
            for course in (pair.first, pair.second)
        )
        return next(pages) != next(pages)

    assert any(differ(it) for it in whole_pairs(proof, proof.tables[0], 40, Random(2)) if it.exchanged)
