from random import Random

import pytest

from tests.tournaments.schedule.formats.opens import NAMES, TABLES, Running, by_luck, open_league, the_league
from tournaments.league.format_settings import OpenSettings
from tournaments.rating.contest import PSEUDO, Member, TeamComparison, comparisons, contests
from tournaments.rating.tally import tally
from tournaments.schedule.formats.open_groups import matches_of, prospect_of

UNEVEN = {"two-one"}  # its sides have pseudo-players, which a prospect leaves out


def ann_and_bob(weight: float = 1.0, teams: int = 2) -> TeamComparison:
    return TeamComparison((Member("ann", weight),), (Member("bob", weight),), drawn=False, teams=teams)


def test_a_pair_plays_each_table_from_both_seats() -> None:
    found = prospect_of("nim", [TABLES["duel"], TABLES["teams"]], ("ann", "bob"), ())
    assert found.matches == 4
    assert found.comparisons == {ann_and_bob(): 4}


def test_of_three_every_two_are_compared_in_every_match_for_two_thirds() -> None:
    found = prospect_of("nim", [TABLES["three"]], ("ann", "bob", "cid"), ())
    assert found.matches == 3
    assert set(found.comparisons.values()) == {3}
    assert {comparison.weight for comparison in found.comparisons} == {2 / 3}


def test_a_bot_is_not_compared_with_itself() -> None:
    found = prospect_of("nim", [TABLES["copies"]], ("ann", "ann", "bob"), ())
    assert found == (3, {ann_and_bob(teams=3): 6})


def test_together_bots_are_compared_with_the_game_that_is_known() -> None:
    board = f"{PSEUDO}nim/2/{{}}/against side 0"
    for known, name in (((board, "~other"), board), ((), f"{PSEUDO}nim/2/{{}}/against ")):
        found = prospect_of("nim", [TABLES["together"]], ("ann", "bob"), known)
        members = {member for comparison in found.comparisons for member in comparison.members}
        assert members == {Member("ann", 0.5), Member("bob", 0.5), Member(name)}


@pytest.mark.parametrize("name", sorted(TABLES.keys() - UNEVEN))
def test_what_a_group_would_play_is_what_it_then_plays(name: str) -> None:
    table, league = TABLES[name], the_league([name])
    running = Running(open_league(OpenSettings(), [name]), league, by_luck(Random(3)))
    issue = running.decided(NAMES)
    assert issue is not None
    running.play(issue)
    played = contests(league, running.matches)
    known = tally(played).names()
    groups = {tuple(sorted(each.entries if table.seating != "teams" else set(each.entries))) for each in issue.line_ups}
    hypotheticals = [prospect_of("nim", [table], group, known) for group in groups]
    # Nobody fails here, and ties are rare enough not to occur.
    real = {min(made, made.turned()) for contest in played for made in comparisons(contest)}
    assert real == {made for hypothetical in hypotheticals for made in hypothetical.comparisons}
    assert len(played) == sum(hypothetical.matches for hypothetical in hypotheticals)


def test_matches_of_a_group_are_counted_over_all_tables() -> None:
    assert matches_of([TABLES["duel"], TABLES["teams"], TABLES["together"]], 2) == 6
    assert matches_of([TABLES["partners"]], 4) == 12
    assert matches_of([TABLES["together, teams"]], 1) == 1
