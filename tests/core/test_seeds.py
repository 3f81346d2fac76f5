import re
from collections import Counter
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from referee.core import seeds
from referee.match.header import own_deal_seed

SEED = seeds.from_text("7")


def test_the_vectors_of_the_docs_hold() -> None:
    written = re.findall(r"\| `([0-9a-f ]+)` \|$", Path("docs/seeds.md").read_text(), re.MULTILINE)
    deal = seeds.child(SEED, "deal", "0")
    drawn = (
        seeds.permutation(seeds.child(deal, "deck"), 38),
        seeds.rolls(seeds.child(deal, "first"), 2, 8),
        seeds.rolls(seeds.child(SEED, "r"), 6, 10),
    )
    own_deal = own_deal_seed(SEED, "agent-avenue/simple/ann@1+bob@1/deal-0/turn-0")
    assert written == [SEED.hex(), deal.hex(), own_deal.hex(), *(" ".join(map(str, numbers)) for numbers in drawn)]


def test_a_path_may_be_walked_at_once_or_step_by_step() -> None:
    assert seeds.child(SEED, "deal", "3") == seeds.child(seeds.child(SEED, "deal"), "3")


def test_different_labels_and_parents_give_different_seeds() -> None:
    found = {seeds.child(parent, label) for parent in (SEED, seeds.from_text("8")) for label in ("a", "b", "")}
    assert len(found) == 6


@given(st.binary(min_size=32, max_size=32), st.integers(0, 60))
def test_a_permutation_holds_every_number_once(seed: bytes, count: int) -> None:
    assert sorted(seeds.permutation(seed, count)) == list(range(count))


@given(st.binary(min_size=32, max_size=32), st.integers(1, 100), st.integers(0, 40))
def test_rolls_stay_within_the_faces(seed: bytes, faces: int, count: int) -> None:
    rolled = seeds.rolls(seed, faces, count)
    assert len(rolled) == count
    assert all(0 <= roll < faces for roll in rolled)


def test_all_orders_of_three_come_up_equally_often() -> None:
    seen = Counter(seeds.permutation(seeds.child(SEED, str(n)), 3) for n in range(6000))
    assert len(seen) == 6
    # chi-square with 5 degrees of freedom is above 25.7 once in 10,000 times
    assert sum((n - 1000) ** 2 / 1000 for n in seen.values()) < 25.7


def test_rejection_keeps_a_bound_that_does_not_divide_the_words_uniform() -> None:
    # With bound 3 * 2^30 a plain modulo would give the lowest third of the range twice as often as the others.
    bound = 3 << 30
    low = sum(seeds.rolls(seeds.child(SEED, str(n)), bound, 1)[0] < bound // 3 for n in range(3000))
    assert abs(low - 1000) < 4 * (3000 * 2 / 9) ** 0.5
