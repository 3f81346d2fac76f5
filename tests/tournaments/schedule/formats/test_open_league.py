from collections import Counter
from random import Random

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.open_field import entered
from tests.tournaments.rating.leagues import rate
from tests.tournaments.schedule.formats.opens import NAMES, TABLES, Running, by_luck, met, open_league, sits, the_league
from tournaments.league.format_settings import OpenSettings
from tournaments.rating.contest import contests
from tournaments.rating.ratings import at_rest
from tournaments.schedule.formats.issued_waves import IssuedWave
from tournaments.schedule.formats.open_league import ComparisonCounter

SETTINGS = st.builds(
    OpenSettings,
    least=st.sampled_from([0.0, 0.2, 0.5]),
    random=st.sampled_from([0.0, 0.1, 1.0]),
    growth=st.sampled_from([0.03, 0.5]),
)
DEFAULTS = OpenSettings()
SHAPES = st.lists(st.sampled_from(sorted(TABLES)), min_size=1, max_size=2, unique=True)


def without_roster(issue: IssuedWave | None) -> IssuedWave | None:
    return None if issue is None else msgspec.structs.replace(issue, roster=())


@settings(max_examples=settings().max_examples // 4, deadline=None)
@given(SETTINGS, SHAPES, st.integers(1, 2), st.randoms(use_true_random=False), st.data())
def test_waves_keep_their_promises_whoever_comes_goes_fails_or_is_skipped(
    given_settings: OpenSettings, tables: list[str], deals: int, luck: Random, data: st.DataObject
) -> None:
    decider = open_league(given_settings, tables, deals)
    running = Running(decider, the_league(tables), by_luck(luck))
    deals_so_far: set[int] = set()
    known: set[str] = set()
    for _ in range(3):
        roster = data.draw(st.lists(st.sampled_from(NAMES), min_size=4, max_size=8, unique=True))
        issue = running.decided(roster)
        assert issue is not None

        assert issue.roster == tuple(roster)
        assert issue.byes == ()
        assert {name for line_up in issue.line_ups for name in line_up.entries} <= set(roster)
        assert len(set(issue.line_ups)) == len(issue.line_ups)
        assert all(len(set(line_up.entries)) > 1 for line_up in issue.line_ups if line_up.table != "together, teams")
        assert {line_up.table for line_up in issue.line_ups} <= set(tables)

        now = set(range(issue.first_deal, issue.first_deal + issue.deals))
        assert len(now) >= deals
        assert not now & deals_so_far
        deals_so_far |= now

        assert set(roster) - known <= sits(issue).keys()
        known |= set(roster)

        again = Running(open_league(given_settings, tables, deals), the_league(tables), by_luck(luck))
        again.issues, again.matches = running.issues, luck.sample(running.matches, len(running.matches))
        assert without_roster(again.decided(luck.sample(roster, len(roster)))) == without_roster(issue)

        counting = luck.choice([0.0, 0.5, 1.0])
        running.play(issue, luck, counting, luck.choice([0, 0.25]))


@settings(max_examples=settings().max_examples // 8, deadline=None)
@given(
    st.sampled_from([0.1, 0.25, 0.5]), st.sampled_from([0.0, 0.3]), st.sampled_from(sorted(TABLES)), st.integers(0, 99)
)
def test_every_bot_has_its_least_part_of_the_even_shares_of_any_waves_in_a_row(
    least: float, random: float, table: str, number: int
) -> None:
    """A perfect bot has most of the matches, so that others would be left out. The roster changes now and then."""
    luck = Random(number)
    decider = open_league(OpenSettings(least=least, random=random, growth=0.2), [table])
    running = Running(decider, the_league([table]), by_luck(luck, Counter({"a@1": 500})))
    shares: dict[str, list[float]] = {name: [] for name in NAMES}
    roster: tuple[str, ...] = NAMES
    for wave in range(16):
        if wave % 6 == 5:
            roster = tuple(luck.sample(NAMES[1:], luck.randint(4, 7))) + NAMES[:1]
        issue = running.decided(roster)
        assert issue is not None
        played = sits(issue)
        for name in roster:
            shares[name].append(played[name] * len(roster) / played.total())
        running.play(issue, luck, float(wave % 6 == 0))
    for name, had in shares.items():
        for start in range(len(had)):
            for end in range(start, len(had)):
                assert sum(had[start : end + 1]) >= least * (end + 1 - start) - (2 + least) - 1e-9, name


def fewest_matches_beside_a_perfect_bot(least: float) -> int:
    running = Running(
        open_league(OpenSettings(least=least, random=0.0)),
        the_league(["duel"]),
        by_luck(Random(1), Counter({"a@1": 500})),
    )
    for _ in range(20):
        issue = running.decided(NAMES)
        assert issue is not None
        running.play(issue)
    played = Counter(name for fixture, _ in running.matches[-100:] for name in fixture.entries)
    return min(played[name] for name in NAMES)


def test_without_a_least_rate_a_bot_could_starve() -> None:
    assert fewest_matches_beside_a_perfect_bot(0.0) < 10 <= fewest_matches_beside_a_perfect_bot(0.5)


def settled(wave_count: int = 16, keys: OpenSettings = DEFAULTS) -> Running:
    """A field in which each bot is 4 points better than the next, but the last one has not come yet."""
    skills = Counter({name: 25 - 4 * at for at, name in enumerate(NAMES)})
    running = Running(open_league(keys), the_league(["duel"]), by_luck(Random(3), skills))
    for _ in range(wave_count):
        issue = running.decided(NAMES[:-1])
        assert issue is not None
        running.play(issue)
    return running


def test_a_new_bot_plays_most_but_not_all_at_once() -> None:
    running = settled()
    issue = running.decided(NAMES)
    assert issue is not None
    assert sits(issue)[NAMES[-1]] == 4 == max(sits(issue).values())  # two groups, each from both seats


def test_when_it_is_placed_a_new_bot_meets_those_near_it() -> None:
    running = settled(keys=OpenSettings(random=0.0))
    for _ in range(12):
        issue = running.decided(NAMES)
        assert issue is not None
        running.play(issue)
    opponents = Counter[str]()
    for issue in running.issues[-8:]:
        for pair, count in met(issue).items():
            if NAMES[-1] in pair:
                opponents[pair[0]] += count
    near, far = NAMES[4:7], NAMES[:3]
    assert sum(opponents[name] for name in near) > 2 * sum(opponents[name] for name in far)


@pytest.mark.slow
def test_a_chosen_opponent_saves_matches_where_bots_differ() -> None:
    chosen, at_random = (entered(way, 16, 4, 1) for way in ("open", "random"))
    assert np.interp(48, chosen.own, chosen.least) < 0.7 * np.interp(48, at_random.own, at_random.least)
    assert chosen.own[0] > 0


def test_a_random_part_brings_together_whoever_the_model_would_not() -> None:
    def apart(random: float) -> int:
        running = settled(24, OpenSettings(random=random, least=0.0))
        return sum(met(issue)[NAMES[0], NAMES[6]] for issue in running.issues[8:])

    assert apart(0.0) < apart(0.8)


def test_a_group_plays_at_all_tables_that_it_fills() -> None:
    decider = open_league(OpenSettings(), ["duel", "teams", "together"])
    issue = decider.decide([], NAMES[:4], list)
    assert issue is not None
    groups = {frozenset(line_up.entries) for line_up in issue.line_ups}
    tables = {(frozenset(line_up.entries), line_up.table) for line_up in issue.line_ups}
    assert len(tables) == 3 * len(groups)


def test_tables_with_groups_of_different_sizes_take_turns() -> None:
    running = Running(open_league(OpenSettings(), ["duel", "three"]), the_league(["duel", "three"]), by_luck(Random(1)))
    for _ in range(4):
        issue = running.decided(NAMES[:5])
        assert issue is not None
        running.play(issue)
    assert [{line_up.table for line_up in issue.line_ups} for issue in running.issues] == [
        {"duel"},
        {"three"},
        {"duel"},
        {"three"},
    ]


def test_together_the_bot_of_which_least_is_known_plays_most() -> None:
    table = "together, teams"
    running = Running(
        open_league(OpenSettings(random=0.0, least=0.0), [table]), the_league([table]), by_luck(Random(2))
    )
    for _ in range(20):
        issue = running.decided(NAMES[:-1])
        assert issue is not None
        running.play(issue)
    for _ in range(4):
        issue = running.decided(NAMES)
        assert issue is not None
        assert NAMES[-1] in sits(issue)
        running.play(issue)


@pytest.mark.parametrize("deals", [1, 3])
def test_a_league_is_over_before_it_has_too_many_matches(deals: int) -> None:
    running = Running(
        open_league(OpenSettings(matches=100, growth=0.3), deals=deals), the_league(["duel"]), by_luck(Random(1))
    )
    while (issue := running.decided(NAMES[:3])) is not None:
        running.play(issue)
    assert 100 - 2 * deals < len(running.matches) <= 100


def test_a_league_is_over_when_no_sigma_is_above_the_uncertainty_and_goes_on_for_a_new_bot() -> None:
    running = Running(open_league(OpenSettings(uncertainty=2.5)), the_league(["duel"]), by_luck(Random(1)))
    sigmas = [9.0]
    while (issue := running.decided(NAMES[:4])) is not None:
        assert max(sigmas) > 2.5
        running.play(issue)
        ratings = rate(contests(the_league(["duel"]), running.matches), NAMES[:4], 0.1).ratings
        sigmas = [ratings[name].sigma for name in NAMES[:4]]
    assert max(sigmas) <= 2.5
    assert running.decided(NAMES[:5]) is not None


def test_fewer_bots_than_a_table_needs_have_no_wave() -> None:
    assert open_league(OpenSettings(), ["three"]).decide([], NAMES[:2], list) is None
    assert open_league(OpenSettings(), ["copies"]).decide([], NAMES[:2], list) is not None
    assert open_league(OpenSettings(), ["copies"]).decide([], NAMES[:1], list) is None
    assert open_league(OpenSettings(), ["duel", "three"]).decide([], NAMES[:2], list) is not None
    assert open_league(OpenSettings()).decide([], (), list) is None


def test_two_bots_are_enough_and_their_waves_grow() -> None:
    running = Running(open_league(OpenSettings(growth=0.5)), the_league(["duel"]), by_luck(Random(1)))
    for _ in range(12):
        issue = running.decided(NAMES[:2])
        assert issue is not None
        running.play(issue)
    assert [issue.deals for issue in running.issues][:4] == [1, 1, 1, 1]
    assert running.issues[-1].deals > 2


def test_the_seed_decides_between_groups_that_tell_as_much() -> None:
    waves = [open_league(OpenSettings(), seed=bytes([number]) * 32).decide([], NAMES, list) for number in range(6)]
    assert len({frozenset(met(wave)) for wave in waves if wave is not None}) > 1


def test_the_results_are_read_once_for_a_wave_and_not_if_the_league_is_over() -> None:
    asked = []

    def counted() -> list[object]:
        asked.append(1)
        return []

    issue = open_league(OpenSettings()).decide([], NAMES, counted)  # type: ignore[arg-type]
    assert issue is not None
    assert len(asked) == 1
    assert open_league(OpenSettings(matches=1)).decide([issue], NAMES, counted) is None  # type: ignore[arg-type]
    assert len(asked) == 1


def test_when_there_are_too_many_groups_some_are_looked_at_and_everybody_plays() -> None:
    many = tuple(f"bot{number:03}@1" for number in range(100))
    issue = open_league(OpenSettings()).decide([], many, list)
    assert issue is not None
    assert set(many) <= sits(issue).keys()
    assert open_league(OpenSettings()).decide([], many[::-1], list) == msgspec.structs.replace(issue, roster=many[::-1])


def test_the_keys_have_bounds() -> None:
    assert msgspec.convert({}, OpenSettings) == OpenSettings()
    for wrong in ({"least": 0.6}, {"random": 1.1}, {"growth": 0}, {"matches": 0}, {"uncertainty": 0}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(wrong, OpenSettings)


@pytest.mark.parametrize("table", TABLES)
def test_counted_results_give_the_ratings_of_the_matches(table: str) -> None:
    luck, league = Random(5), the_league([table])
    running, results = Running(open_league(OpenSettings(), [table]), league, by_luck(luck)), ComparisonCounter(league)
    for _ in range(2):  # the second time, most is remembered
        issue = running.decided(NAMES)
        assert issue is not None
        running.play(issue, luck, 0.8, 0.3)
        counted = at_rest(results.tally(running.matches), NAMES, 0.1)
        whole = rate(contests(league, running.matches), NAMES, 0.1)
        assert counted.ratings == whole.ratings
        assert counted.groups == whole.groups


def test_without_matches_nothing_is_counted() -> None:
    assert ComparisonCounter(the_league(["duel"])).tally([]).kinds == ()
