from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.schedule.formats import swiss_pairing
from tournaments.schedule.formats.swiss_pairing import SwissPlayer

Pair = tuple[str, str]


def all_pairings(bots: Sequence[SwissPlayer]) -> Iterator[list[tuple[SwissPlayer, SwissPlayer]]]:
    """Every way to pair these bots."""
    if not bots:
        yield []
        return
    for at in range(1, len(bots)):
        for others in all_pairings([*bots[1:at], *bots[at + 1 :]]):
            yield [(bots[0], bots[at]), *others]


def worth(pairing: Sequence[tuple[SwissPlayer, SwissPlayer]]) -> tuple[int, int, int]:
    """Rematches, squared differences of score, and what luck says. The lower the better."""
    rematches = sum(one.met.get(two.name, 0) for one, two in pairing)
    scores = sum((one.score - two.score) ** 2 for one, two in pairing)
    luck = sum(((one.score - two.score) * 2**128 + one.luck - two.luck) ** 2 for one, two in pairing)
    return rematches, scores, luck


def names(pairing: Sequence[tuple[SwissPlayer, SwissPlayer]]) -> set[frozenset[str]]:
    return {frozenset((one.name, two.name)) for one, two in pairing}


@st.composite
def fields(draw: st.DrawFn) -> list[SwissPlayer]:
    """An even number of bots with any scores, and any meetings before."""
    bots = 2 * draw(st.integers(1, 5))
    step = draw(st.sampled_from([1, 250, 1000]))
    scores = draw(st.lists(st.integers(0, 5), min_size=bots, max_size=bots))
    luck = draw(st.lists(st.integers(0, 2**64 - 1), min_size=bots, max_size=bots, unique=True))
    everybody = list(combinations(range(bots), 2))
    kept = draw(st.sets(st.sampled_from(everybody)))
    # Often nearly everybody has met, and what is left hardly suffices.
    together = set(everybody) - kept if draw(st.booleans()) else kept
    meetings = dict.fromkeys(sorted(together), 1)
    meetings |= draw(st.dictionaries(st.sampled_from(everybody), st.integers(0, 3)))
    return field([score * step for score in scores], luck, meetings)


def field(scores: Sequence[int], luck: Sequence[int], meetings: dict[tuple[int, int], int]) -> list[SwissPlayer]:
    """Bots with these scores and luck. All of them met one that has left since."""
    met = [{"gone": 1} for _ in scores]
    for (one, two), times in meetings.items():
        met[one][f"bot-{two}"] = met[two][f"bot-{one}"] = times
    return [SwissPlayer(f"bot-{at}", score, luck[at], met[at]) for at, score in enumerate(scores)]


def simulated(bots: int, rounds: int, seed: int) -> list[SwissPlayer]:
    """A field after some rounds in which bots of about equal scores met."""
    random = Random(seed)
    scores = [0] * bots
    met: list[dict[str, int]] = [{} for _ in scores]
    for _ in range(rounds):
        order = sorted(range(bots), key=lambda bot: (scores[bot], random.random()))
        for at in range(0, bots, 4):
            one, two, three, four = order[at : at + 4]
            for left, right in ((one, three), (two, four)) if random.random() < 0.5 else ((one, two), (three, four)):
                met[left][f"bot-{right}"] = met[left].get(f"bot-{right}", 0) + 1
                met[right][f"bot-{left}"] = met[right].get(f"bot-{left}", 0) + 1
                won = random.choice([0, 250, 500, 1000])
                scores[left] += won
                scores[right] += 1000 - won
    return [SwissPlayer(f"bot-{bot}", scores[bot], random.getrandbits(64), met[bot]) for bot in range(bots)]


@given(fields(), st.randoms(use_true_random=False))
def test_no_pairing_has_fewer_rematches_nor_one_with_as_many_nearer_scores_and_luck_decides_the_rest(
    bots: list[SwissPlayer], random: Random
) -> None:
    best = min(all_pairings(bots), key=worth)
    found = swiss_pairing.pairs(random.sample(bots, len(bots)))
    by_name = {each.name: each for each in bots}
    assert sorted(name for pair in found for name in pair) == sorted(by_name)
    assert worth([(by_name[one], by_name[two]) for one, two in found]) == worth(best)
    assert set(map(frozenset, found)) == names(best)


def candidates_of(order: Sequence[SwissPlayer]) -> list[tuple[int, int]]:
    return list(swiss_pairing._candidates(swiss_pairing._met(order)))


@pytest.mark.parametrize("rounds", [1, 4, 9])
def test_the_best_of_few_pairs_is_the_best_of_all_in_a_larger_field(rounds: int) -> None:
    bots = simulated(48, rounds, seed=rounds)
    by_name = {each.name: each for each in bots}
    complete = networkx.Graph()
    for one, two in combinations(bots, 2):
        rematches, _, luck = worth([(one, two)])
        complete.add_edge(one.name, two.name, weight=-luck - rematches * 2**400)
    best = [(by_name[one], by_name[two]) for one, two in networkx.max_weight_matching(complete, maxcardinality=True)]
    assert set(map(frozenset, swiss_pairing.pairs(bots))) == names(best)


def test_few_of_500_bots_pairs_are_looked_at_after_ten_rounds() -> None:
    order = sorted(simulated(500, 10, seed=1), key=lambda each: (each.score, each.luck))
    assert 500 < len(candidates_of(order)) < 10_000


def test_without_meetings_neighbours_are_paired_the_highest_first() -> None:
    bots = field([0, 3000, 1000, 2000], [9, 2, 8, 1], {})
    assert swiss_pairing.pairs(bots) == [("bot-1", "bot-3"), ("bot-2", "bot-0")]


def test_one_large_difference_is_worse_than_two_small_ones() -> None:
    bots = field([0, 1000, 2000, 3000], [1, 2, 3, 4], {(0, 1): 1, (2, 3): 1})
    assert set(swiss_pairing.pairs(bots)) == {("bot-3", "bot-1"), ("bot-2", "bot-0")}


def test_an_unavoidable_rematch_is_between_those_that_met_least_often() -> None:
    meetings = dict.fromkeys(combinations(range(4), 2), 2) | {(0, 3): 1, (1, 2): 2}
    bots = field([0, 0, 9000, 9000], [1, 2, 3, 4], meetings)
    assert set(map(frozenset, swiss_pairing.pairs(bots))) == {
        frozenset(("bot-0", "bot-3")),
        frozenset(("bot-1", "bot-2")),
    }


def test_luck_alone_decides_among_equals() -> None:
    random = Random(3)
    seen = {
        frozenset(map(frozenset, swiss_pairing.pairs(field([0] * 4, [random.getrandbits(64) for _ in range(4)], {}))))
        for _ in range(30)
    }
    assert len(seen) == 3
