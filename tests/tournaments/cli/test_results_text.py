import itertools
import re
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from tournaments.cli.results_text import (
    cross_play_tables,
    crosstable_notes,
    crosstables,
    interim_notes,
    pairs_table,
    seats_table,
    sides_table,
    standings_notes,
    standings_table,
)
from tournaments.cli.table_layout import FittedTable
from tournaments.league.status import MatchCounts
from tournaments.rating.bot_records import CostMeans, SeatRecord, SideRecord
from tournaments.rating.cooperation import Cooperation, TeamRecord
from tournaments.rating.fit import AgainstMix, Fit, OverallShare
from tournaments.results.crosstable import Crosstable, PairResults
from tournaments.results.standings import Standing, Standings

COUNTS = MatchCounts(9, 9, 0, 0, 0)
EMPTY = Standings("autumn", "d1", COUNTS, 0, (), (), (), (), (), False, (), ())

ANN = Standing(
    rank=1,
    bot="ann@1",
    rating=26.5,
    sigma=1.0,
    interval=(25.0, 28.0),
    matches=80,
    wins=50,
    draws=20,
    losses=10,
    faults=0,
    mean_decision_ms=0.1,
    sides=(),
    seats=(),
    score=0.75,
    draw_share=0.25,
    group=1,
    ranks=(1, 2),
    first=0.874,
    may_be_best=True,
    beats_next=0.694,
)
BOB = msgspec.structs.replace(
    ANN,
    rank=2,
    bot="bob@1",
    rating=23.5,
    interval=None,
    may_be_best=None,
    matches=2,
    wins=0,
    draws=0,
    losses=2,
    mean_decision_ms=None,
    score=0.0,
    draw_share=0.0,
    ranks=None,
    first=None,
    beats_next=None,
)
TWO = msgspec.structs.replace(EMPTY, standings=(ANN, BOB), separated=(False,), groups=(("ann@1", "bob@1"),))


def test_tries_tokens_and_forgiven_matches_are_shown_only_where_there_are_some() -> None:
    noted = (msgspec.structs.replace(ANN, costs=CostMeans(1.25, 900.4)), BOB)
    table = msgspec.structs.replace(TWO, standings=noted, forgiven={"ann@1": 2})
    assert any(re.search(r"1\.25 +900", line) for line in lines(standings_table(table, 200)))
    notes = list(standings_notes(table))
    assert "tries, tokens: for each decision, as the bot's own notes say" in notes
    assert "forgiven, because ann@1 was unavailable before its first choice: 2 matches" in notes
    assert not any("tries" in line for line in (*lines(standings_table(TWO, 200)), *standings_notes(TWO)))


def test_the_mean_return_is_shown_only_where_the_game_counts_something() -> None:
    counted = msgspec.structs.replace(TWO, standings=(msgspec.structs.replace(ANN, mean_return=2.5), BOB))
    assert any("2.50" in line for line in lines(standings_table(counted, 200)))
    assert any(note.startswith("mean return: ") for note in standings_notes(counted))
    assert not any("mean return" in line for line in (*lines(standings_table(TWO, 200)), *standings_notes(TWO)))
    assert set(standings_table(counted, 90).left_out) == {"won", "drawn", "lost", "ms"}


def lines(found: FittedTable) -> list[str]:
    console = Console(width=1_000)
    with console.capture() as capture:
        console.print(found.table)
    return capture.get().splitlines()


def words(found: FittedTable) -> list[str]:
    return [" ".join(line.split()) for line in lines(found) if line.strip()]


def league_of(names: list[str], **values: object) -> Standings:
    """A table in which every column is as wide as it gets in a league of 1,000,000 matches."""
    huge = {"rating": -10.25, "interval": (-12.25, -10.75), "matches": 999_999, "ranks": (10, 12), "faults": 10_000}
    line = msgspec.structs.replace(ANN, **(huge | values))
    rows = tuple(msgspec.structs.replace(line, rank=rank, bot=name) for rank, name in enumerate(names, 1))
    return msgspec.structs.replace(EMPTY, standings=rows, separated=(True,) * (len(names) - 1), groups=(tuple(names),))


# Standings


def test_a_line_says_rating_ranks_chances_score_and_draws() -> None:
    heading, _, ann, bob = words(standings_table(TWO, 200))
    assert heading == "# bot rating 95 % ranks first vs next matches score won drawn lost draws faults ms"
    assert ann == "1 ann@1 26.50 25.00..28.00 1..2 87% 69.4% 80 75.0% 50 20 10 25.0% 0 0.10"
    assert bob == "2 bob@1 23.50 provisional - - - 2 0.0% 0 0 2 0.0% 0 -"


def test_a_bot_without_an_interval_is_provisional_and_a_note_says_how_many_deals_it_takes() -> None:
    assert "provisional, below all others until they have played 6 deals: bob@1" in list(standings_notes(TWO))
    assert not any("provisional" in note for note in standings_notes(EMPTY))


@pytest.mark.parametrize(
    ("first", "told"), [(0.0, "<1%"), (0.005, "<1%"), (0.5, "50%"), (0.995, ">99%"), (1.0, ">99%")]
)
def test_no_bot_is_said_to_be_first_for_sure(first: float, told: str) -> None:
    line = msgspec.structs.replace(ANN, first=first)
    assert words(standings_table(msgspec.structs.replace(TWO, standings=(line,)), 200))[-1].split()[5] == told


def test_names_of_16_characters_fit_100_columns_with_all_that_the_issue_asks_for() -> None:
    names = [f"bot-number-{at:02}@12" for at in range(1, 31)]
    found = standings_table(league_of(names), 100)
    assert max(map(len, lines(found))) <= 100
    assert found.shortened == ()
    assert found.left_out == ("won", "drawn", "lost")


def test_longer_names_are_shortened_and_told_in_full() -> None:
    names = ["a-bot-with-a-name-longer-than-anybody-would-think-sensible@1", "ann@1"]
    found = standings_table(league_of(names), 100)
    assert max(map(len, lines(found))) <= 100
    assert found.shortened == (names[0],)
    assert standings_table(league_of(names), 1_000).shortened == ()


def test_on_80_columns_the_score_stays() -> None:
    found = standings_table(league_of(["counter@1"]), 80)
    assert max(map(len, lines(found))) <= 80
    assert "score" in lines(found)[0].split()


def test_where_all_seats_are_one_side_no_bot_is_said_to_beat_the_next() -> None:
    alone = msgspec.structs.replace(TWO, standings=(msgspec.structs.replace(ANN, beats_next=None), BOB))
    assert "vs next" not in lines(standings_table(alone, 200))[0]
    assert not any("vs next" in note for note in standings_notes(alone))


def test_bots_that_may_be_the_best_and_bots_that_are_not_separated_from_the_next_are_named() -> None:
    bob = msgspec.structs.replace(ANN, bot="bob@1")
    cid = msgspec.structs.replace(ANN, bot="cid@1", may_be_best=False)
    three = msgspec.structs.replace(
        TWO, standings=(ANN, bob, cid), separated=(False, False), groups=(("ann@1", "bob@1", "cid@1"),)
    )
    notes = list(standings_notes(three))
    assert "may be the best (95 %): ann@1, bob@1" in notes
    assert "vs next, not separated (95 %): ann@1 and bob@1, bob@1 and cid@1" in notes


def test_nothing_is_said_about_separation_from_a_provisional_bot() -> None:
    assert not any("separated" in note for note in standings_notes(TWO))


def test_groups_that_never_met_are_named_and_nothing_is_said_across_them() -> None:
    bob = msgspec.structs.replace(ANN, bot="bob@1", group=2)
    dan = msgspec.structs.replace(ANN, bot="dan@1", rank=2, group=2, may_be_best=False)
    groups = (("ann@1",), ("bob@1", "dan@1"))
    apart = msgspec.structs.replace(TWO, standings=(ANN, bob, dan), separated=(False, True), groups=groups)
    notes = list(standings_notes(apart))
    assert "2 groups never met, not even by way of others: each is rated apart, around 25" in notes
    assert "vs next: every bot is separated from the next (95 %)" in notes
    assert [note for note in notes if note.startswith("may be the best")] == [
        "may be the best (95 %): ann@1",
        "may be the best (95 %): bob@1",
    ]
    heading, _, *rows = words(standings_table(apart, 200))
    assert heading.startswith("group # bot")
    assert [row.split()[:3] for row in rows] == [["1", "1", "ann@1"], ["2", "1", "bob@1"], ["2", "2", "dan@1"]]


def test_an_interim_table_says_that_it_is_one_and_what_may_be_watched() -> None:
    running = msgspec.structs.replace(TWO, matches=MatchCounts(1_200, 812, 388, 0, 0), interim=True)
    (note,) = interim_notes(running)
    assert note.startswith("interim: 812 of 1,200 matches")
    assert "`referee compare`" in note
    assert list(interim_notes(TWO)) == []


def test_the_digest_comes_last() -> None:
    assert list(standings_notes(TWO))[-1] == "digest: d1"


# Sides and seats


def test_the_share_of_every_side_is_told_table_by_table() -> None:
    sides = (
        SideRecord("pairs", "A", 20, 6, 0.3, 0, 0.3),
        SideRecord("pairs", "B", 20, 14, 0.7, 0, 0.7),
        SideRecord("trios", "A", 3, 1, 1 / 3, 0, 1 / 3),
    )
    notes = list(standings_notes(msgspec.structs.replace(EMPTY, sides=sides)))
    assert "won by side at table pairs: A 30.0% of 20, B 70.0% of 20" in notes
    assert "won by side at table trios: A 33.3% of 3" in notes


def test_where_sides_do_not_differ_nothing_is_told_of_them() -> None:
    assert not any("side at" in note for note in standings_notes(EMPTY))


def test_each_side_is_told_over_all_bots_and_then_for_each_bot() -> None:
    agents, insider = (SideRecord("four", side, 60, 21, 0.35, 6, 0.4) for side in ("agents", "insider"))
    own = tuple(msgspec.structs.replace(each, matches=20, wins=10, share=0.5, draws=0) for each in (agents, insider))
    table = msgspec.structs.replace(
        TWO, sides=(agents, insider), standings=(msgspec.structs.replace(ANN, sides=own), BOB)
    )
    assert words(sides_table(table, 100))[2:] == [
        "four agents all bots 60 35.0% 10.0% 40.0%",
        "four agents ann@1 20 50.0% 0.0% 40.0%",
        "four insider all bots 60 35.0% 10.0% 40.0%",
        "four insider ann@1 20 50.0% 0.0% 40.0%",
    ]


def test_each_seat_is_told_over_all_bots_and_then_for_each_bot() -> None:
    seat = SeatRecord("duel", 0, 4, 3, 0.75, 1, 0.875)
    table = msgspec.structs.replace(TWO, seats=(seat,), standings=(msgspec.structs.replace(ANN, seats=(seat,)), BOB))
    assert words(seats_table(table, 100))[2:] == [
        "duel 0 all bots 4 75.0% 25.0% 87.5%",
        "duel 0 ann@1 4 75.0% 25.0% 87.5%",
    ]


# Cooperation


def test_the_cross_play_table_has_a_line_and_a_column_for_every_bot() -> None:
    records = (
        TeamRecord(("ann",), 6, 3, 0.5, 91.6),
        TeamRecord(("bob",), 4, 1, 0.25, None),
        TeamRecord(("ann", "ann"), 2, 2, 1.0, 120.0),
        TeamRecord(("ann", "bob"), 4, 1, 0.25, 77.4),
    )
    (found,) = cross_play_tables(Cooperation(("mixed", "alone"), 2, records), 100)
    heading, _, ann, bob = words(found)
    assert found.title == "mixed, alone: share won and mean score of 2 deals"
    assert heading == "bot all its matches with ann with bob"
    assert ann == "ann 50.0% 92 100.0% 120 25.0% 77"
    assert bob == "bob 25.0% 25.0% 77 -"


def test_a_cross_play_table_says_that_no_two_matches_had_the_same_luck() -> None:
    records = (TeamRecord(("ann",), 6, 3, 0.5, 91.6),)
    (found,) = cross_play_tables(Cooperation(("mixed",), 2, records, luck="own"), 100)
    assert found.title == "mixed: share won and mean score of 2 deals, each match on a deal of its own"


def test_a_cross_play_table_that_is_too_wide_is_cut_into_several() -> None:
    names = [f"bot-{at:02}@1" for at in range(12)]
    pairs = (TeamRecord(pair, 4, 1, 0.25, 77.4) for pair in itertools.combinations(names, 2))
    records = (*(TeamRecord((name,), 6, 3, 0.5, 91.6) for name in names), *pairs)
    found = list(cross_play_tables(Cooperation(("mixed",), 2, records), 100))
    assert len(found) > 1
    assert max(len(line) for page in found for line in lines(page)) <= 100


def test_where_one_number_does_not_describe_the_bots_they_are_compared_with_the_best_mix() -> None:
    mixed = msgspec.structs.replace(ANN, best_mix=AgainstMix(0.43, (0.381, 0.472), 0.21))
    table = msgspec.structs.replace(TWO, standings=(mixed, BOB), fit=Fit(0.001, 0.09))
    heading, _, ann, bob = words(standings_table(table, 300))
    assert " score vs best mix its interval worst won " in heading
    assert " 75.0% 43.0% 38%..47% 21.0% 50 " in ann
    assert " 0.0% - - - 0 " in bob
    notes = list(standings_notes(table))
    assert sum("by 9 points of 100 in a usual pair" in note for note in notes) == 1
    assert any(note.startswith("vs best mix: ") for note in notes)
    assert not any("mix" in note or "number" in note for note in standings_notes(TWO))
    assert "vs best mix" not in words(standings_table(TWO, 300))[0]


def test_of_several_tables_the_standings_have_the_share_over_all_and_who_lacks_one() -> None:
    ann = msgspec.structs.replace(ANN, overall=OverallShare(4, 4, 0.612, (0.583, 0.641)))
    bob = msgspec.structs.replace(BOB, overall=OverallShare(3, 4))
    heading, _, first, second = words(standings_table(msgspec.structs.replace(TWO, standings=(ann, bob)), 300))
    assert " score overall 95 % of it tables won " in heading
    assert " 75.0% 61.2% 58.3%..64.1% 4 of 4 50 " in first
    assert " 0.0% - - 3 of 4 0 " in second
    whole = msgspec.structs.replace(TWO, standings=(ann, ann))
    assert " overall 95 % of it won " in words(standings_table(whole, 300))[0]
    assert any(note.startswith("overall: ") for note in standings_notes(whole))
    assert not any(note.startswith("overall: ") for note in standings_notes(TWO))


def test_the_standings_say_how_many_matches_of_one_author_are_left_out() -> None:
    notes = list(standings_notes(msgspec.structs.replace(TWO, same_author=12)))
    assert "left out, because bots of one author played against each other: 12 matches" in notes
    assert not any(note.startswith("left out") for note in standings_notes(TWO))


def test_first_is_shown_of_bots_that_may_be_the_best_only() -> None:
    table = msgspec.structs.replace(TWO, standings=(ANN, msgspec.structs.replace(ANN, may_be_best=False)))
    assert [" 87% " in row for row in words(standings_table(table, 300))[2:]] == [True, False]


# Crosstables


def crossed(names: list[str]) -> Crosstable:
    pairs = tuple(
        PairResults(4, 0.75, 0.7, 3.21, (1.0, 5.5), 0.71, bot=a, against=b, points=3.0)
        if a < b
        else PairResults(4, 0.75, 0.7, 3.21, (1.0, 5.5), 0.71, bot=b, against=a, points=3.0).turned()
        for a, b in itertools.permutations(names, 2)
    )
    return Crosstable("autumn", "d1", COUNTS, 0, False, (tuple(names),), pairs)


def test_the_crosstable_has_the_score_of_every_bot_against_every_other() -> None:
    (found,) = crosstables(crossed(["ann@1", "bob@1", "cid@1"]), ["ann@1", "bob@1", "cid@1"], 100)
    assert words(found) == [
        "# bot 1 2 3",
        words(found)[1],
        "1 ann@1 75.0% 75.0%",
        "2 bob@1 25.0% 75.0%",
        "3 cid@1 25.0% 25.0%",
    ]


def test_every_pair_has_a_line_with_what_happened_and_what_the_ratings_say() -> None:
    found = pairs_table(crossed(["ann@1", "bob@1"]), ["ann@1", "bob@1"], 100)
    heading, _, pair = words(found)
    assert heading == "bot against matches score expected difference 95 % beats"
    assert pair == "ann@1 bob@1 4 75.0% 70.0% +3.21 1.00..5.50 71.0%"


def test_a_score_that_is_not_what_the_ratings_say_has_a_mark_and_whether_they_were_tested_is_said() -> None:
    table = crossed(["ann@1", "bob@1"])
    (pair, other), names = table.pairs, ["ann@1", "bob@1"]
    marked = msgspec.structs.replace(
        table, pairs=(msgspec.structs.replace(pair, unusual=True), other), fit=Fit(0.001, 0.09)
    )
    assert " 75.0% ! 70.0% " in words(pairs_table(marked, names, 100))[2]
    notes = list(crosstable_notes(marked))
    assert any(note.startswith("!: ") for note in notes)
    assert any("One number does not describe these bots" in note for note in notes)
    assert not any("not tested" in note for note in notes)
    assert [note for note in crosstable_notes(table) if "not tested" in note or note.startswith("!")] == [
        "not tested: whether one number describes the bots; it takes six deals on which all bots met alone"
    ]


def test_the_lines_of_one_bot_can_be_asked_for_and_are_told_from_its_side() -> None:
    table = crossed(["ann@1", "bob@1", "cid@1"])
    (matrix,) = crosstables(table, ["bob@1"], 100)
    assert words(matrix)[2:] == ["2 bob@1 25.0% 75.0%"]
    assert [line.split()[:2] for line in words(pairs_table(table, ["bob@1"], 100))[2:]] == [
        ["bob@1", "ann@1"],
        ["bob@1", "cid@1"],
    ]


def test_a_crosstable_of_many_bots_with_long_names_fits_100_columns() -> None:
    names = [f"bot-with-a-long-name-{at:02}@1" for at in range(20)]
    table = crossed(names)
    found = [*crosstables(table, names, 100), pairs_table(table, names, 100)]
    assert max(len(line) for page in found for line in lines(page)) <= 100
    assert len(lines(found[-1])) == 2 + 20 * 19 // 2


def test_pairs_that_never_met_have_no_line_and_the_groups_are_told() -> None:
    table = crossed(["ann@1", "bob@1", "cid@1"])
    never = {"matches": 0, "score": None, "expected": None, "difference": None, "interval": None, "beats": None}
    pairs = (
        msgspec.structs.replace(pair, **never) if "cid@1" in {pair.bot, pair.against} else pair for pair in table.pairs
    )
    apart = msgspec.structs.replace(table, groups=(("ann@1", "bob@1"), ("cid@1",)), pairs=tuple(pairs))
    names = ["ann@1", "bob@1", "cid@1"]
    assert len(words(pairs_table(apart, names, 100))[2:]) == 1
    (matrix,) = crosstables(apart, names, 100)
    assert words(matrix)[2:] == ["1 1 ann@1 75.0% -", "1 2 bob@1 25.0% -", "2 3 cid@1 - -"]


def test_where_nobody_met_anybody_there_is_no_matrix_and_a_note_says_why() -> None:
    table = crossed(["ann@1", "bob@1"])
    nobody = tuple(msgspec.structs.replace(pair, matches=0, score=None, expected=None) for pair in table.pairs)
    table = msgspec.structs.replace(table, pairs=nobody)
    assert list(crosstables(table, ["ann@1", "bob@1"], 100)) == []
    assert "no two bots were on opposing sides" in list(crosstable_notes(table))


def test_every_column_is_explained_in_the_docs() -> None:
    text = (Path(__file__).parents[3] / "docs" / "tables.md").read_text(encoding="utf-8")
    explained = set(re.findall(r"`([^`]+)`", "".join(re.findall(r"^\| (`.+?) \|", text, re.MULTILINE))))
    mix = AgainstMix(0.43, (0.381, 0.472), 0.21)
    counted = msgspec.structs.replace(
        ANN,
        mean_return=2.5,
        costs=CostMeans(1.25, 900.0, 1.5, 0.25),
        best_mix=mix,
        last_of=3,
        overall=OverallShare(3, 4),
    )
    apart = msgspec.structs.replace(TWO, standings=(counted, BOB), groups=(("ann@1",), ("bob@1",)))
    shown = (standings_table(apart, 300), pairs_table(crossed(["ann@1", "bob@1"]), ["ann@1"], 200))
    assert {str(column.header) for found in shown for column in found.table.columns} == explained
