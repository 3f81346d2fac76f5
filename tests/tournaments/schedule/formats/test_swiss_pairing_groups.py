from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from random import Random
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.schedule.formats.swisses import Event, bots, meetings, table
from tournaments.league.format_settings import SwissSettings
from tournaments.schedule.formats.swiss import SwissRounds
from tournaments.schedule.formats.swiss_pairing import REMATCH, SwissPlayer, groups

SEED = bytes(range(32))


@st.composite
def fields(draw: st.DrawFn, most: int) -> tuple[list[SwissPlayer], int]:
    """Bots that fill some tables of this size, with any scores and any meetings before."""
    size = draw(st.integers(3, 5))
    number = size * draw(st.integers(1, most // size))
    scores = draw(st.lists(st.integers(0, 3000), min_size=number, max_size=number))
    pairs = list(combinations(range(number), 2))
    met = draw(st.dictionaries(st.sampled_from(pairs), st.integers(1, 2)))
    return field(scores, met), size


def field(scores: Sequence[int], meetings: dict[tuple[int, int], int]) -> list[SwissPlayer]:
    """Bots with these scores. All of them met one that has left since."""
    met = [{"gone": 2} for _ in scores]
    for (one, two), times in meetings.items():
        met[one][f"bot-{two}"] = met[two][f"bot-{one}"] = times
    return [SwissPlayer(f"bot-{at}", score, at, met[at]) for at, score in enumerate(scores)]


def cost(everybody: Sequence[SwissPlayer], found: Iterable[Iterable[str]]) -> int:
    """What the groups cost, by the words of the module."""
    by_name = {each.name: each for each in everybody}
    squares = sum((one.score - two.score) ** 2 for one in everybody for two in everybody)
    rematch = max(1, REMATCH * squares // len(everybody) ** 2)
    return sum(
        (by_name[one].score - by_name[two].score) ** 2 + rematch * by_name[one].met.get(two, 0)
        for group in found
        for one, two in combinations(group, 2)
    )


@given(fields(20), st.randoms(use_true_random=False))
def test_everybody_is_in_one_group_whatever_the_order(drawn: tuple[list[SwissPlayer], int], random: Random) -> None:
    everybody, size = drawn
    found = groups(everybody, size, SEED)
    assert sorted(name for group in found for name in group) == sorted(each.name for each in everybody)
    assert {len(group) for group in found} <= {size}
    assert groups(random.sample(everybody, len(everybody)), size, SEED) == found


@given(fields(15))
def test_no_exchange_of_two_bots_makes_the_groups_better(drawn: tuple[list[SwissPlayer], int]) -> None:
    everybody, size = drawn
    found = [list(group) for group in groups(everybody, size, SEED)]
    least = cost(everybody, found)
    for one, two in combinations(range(len(found)), 2):
        for mine in range(size):
            for theirs in range(size):
                other = [list(group) for group in found]
                other[one][mine], other[two][theirs] = other[two][theirs], other[one][mine]
                assert cost(everybody, other) >= least


def test_shaking_finds_better_groups_than_exchanges_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(5)
    fields = []
    for _ in range(6):
        pairs = random.sample(list(combinations(range(24), 2)), 120)
        fields.append(field([random.randrange(5000) for _ in range(24)], dict.fromkeys(pairs, 1)))
    shaken = [cost(each, groups(each, 4, SEED)) for each in fields]
    monkeypatch.setattr("tournaments.schedule.formats.swiss_pairing.SHAKES", 0)
    unshaken = [cost(each, groups(each, 4, SEED)) for each in fields]
    assert all(better <= worse for better, worse in zip(shaken, unshaken, strict=True))
    assert sum(shaken) < sum(unshaken)


def test_the_search_hangs_on_its_seed() -> None:
    random = Random(9)
    pairs = random.sample(list(combinations(range(32), 2)), 300)
    crowded = field([random.randrange(5000) for _ in range(32)], dict.fromkeys(pairs, 1))
    assert len({tuple(groups(crowded, 4, bytes([seed] * 32))) for seed in range(8)}) > 1


def test_without_meetings_neighbours_sit_together_the_highest_first() -> None:
    assert groups(field([0, 10, 5000, 20, 5010, 5020], {}), 3, SEED) == [
        ("bot-5", "bot-4", "bot-2"),
        ("bot-3", "bot-1", "bot-0"),
    ]


def repeats(events: Iterable[Sequence[Sequence[Sequence[str]]]]) -> int:
    """How often bots sat together again, in all rounds of some events."""
    times = 0
    for event in events:
        met = Counter(frozenset(pair) for found in event for group in found for pair in combinations(group, 2))
        times += sum(count - 1 for count in met.values())
    return times


def at_random(random: Random, everybody: Sequence[str], size: int) -> list[tuple[str, ...]]:
    order = random.sample(everybody, len(everybody))
    return [tuple(order[at : at + size]) for at in range(0, len(order) - len(order) % size, size)]


@pytest.mark.slow
@pytest.mark.parametrize("size", [3, 4, 5])
@pytest.mark.parametrize("rounds", [5, 7])
def test_among_32_bots_repeats_are_at_most_half_of_random_s(size: int, rounds: int) -> None:
    everybody = bots(32)
    random = Random(size)
    strengths = {name: random.gauss(0, 1) for name in everybody}
    swiss = [SwissRounds(SwissSettings(rounds), [table(size)], 1, bytes([seed] * 32)) for seed in range(2)]
    ours = [[meetings(issue) for issue in Event(each, strengths).play(everybody).issues] for each in swiss]
    theirs = [[at_random(random, everybody, size) for _ in range(rounds)] for _ in range(20)]
    assert repeats(ours) / len(ours) <= 0.5 * repeats(theirs) / len(theirs)


@pytest.mark.parametrize("size", [3, 4, 5])
def test_those_who_meet_have_nearer_scores_than_any_two_bots(size: int) -> None:
    everybody = bots(30)
    strengths = {name: Random(name).gauss(0, 1) for name in everybody}
    event = Event(SwissRounds(SwissSettings(), [table(size)], 1, SEED), strengths)
    near, any_two = [], []
    while issue := event.next(everybody):
        if len(event.issues) > 1:
            table_before = event.rounds.standings(event.issues[:-1], everybody, event.counted)
            points = {each.entry: each.points for each in table_before}
            near += [
                (points[one] - points[two]) ** 2 for group in meetings(issue) for one, two in combinations(group, 2)
            ]
            any_two += [(points[one] - points[two]) ** 2 for one, two in combinations(everybody, 2)]
    assert fmean(near) < 0.5 * fmean(any_two)
