from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.match.terms import Clock, EntryTerms
from tests.tournaments.leagues import SEED, league
from tests.tournaments.stores import CONTENTS
from tournaments.league.format_settings import (
    BalancedSettings,
    GauntletSettings,
    KnockoutSettings,
    OpenSettings,
    Settings,
    SwissSettings,
)
from tournaments.league.model import Entry, League, Remote, TableSpec
from tournaments.store.pinned_league import (
    Content,
    LeagueChanged,
    Pinned,
    check_builds,
    check_pins,
    contents,
    keep_pins,
)


def pinned() -> Pinned:
    tables = {table.name: table for table in league().tables}
    return Pinned("nim", 4, 0.1, False, SEED.hex(), Clock(), tables, CONTENTS, league().play_rules)


def test_a_league_as_it_was_is_accepted() -> None:
    check_pins(pinned(), league(), CONTENTS)


def test_added_and_removed_bots_tables_and_deals_are_no_change() -> None:
    table = TableSpec("new", 3, {})
    check_pins(
        pinned(),
        league(["ann", "zoe"], deals=9, tables=(table,)),
        {"ann@1": CONTENTS["ann@1"], "zoe@1": Content("z", "z")},
    )


@pytest.mark.parametrize("format_", [SwissSettings(), KnockoutSettings(), OpenSettings(matches=9)])
def test_no_table_is_taken_out_where_results_decide_the_waves(format_: Settings) -> None:
    gone = league(tables=(TableSpec("new", 3, {}),), format=format_)
    with pytest.raises(LeagueChanged, match="table of-2 was taken out, and waves were decided by its matches"):
        check_pins(pinned(), gone, CONTENTS)
    assert {table.name for table in keep_pins(gone, pinned()).tables} == {"new", *pinned().tables}


def test_sides_are_not_compared_since_they_follow_from_the_options() -> None:
    table = TableSpec("of-2", 2, {"mode": "plain"}, "distinct", ((0,), (1,)))
    check_pins(pinned(), league(tables=(table,)), CONTENTS)


def test_a_seed_left_out_is_the_pinned_one() -> None:
    check_pins(pinned(), league(seed=None), CONTENTS)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"seed": "00" * 32}, "its seed is a different one"),
        ({"rehearsal": True}, "rehearsal was false and is true"),
        ({"game": "chess"}, "its game was nim and is chess"),
        ({"rules_version": 5}, "the rules of nim were version 4 and are 5"),
        ({"clock": Clock(move_ms=1)}, 'its clock was {"move_ms":10000,'),
        ({"tables": (TableSpec("of-2", 3, {"mode": "plain"}),)}, "table of-2 had 2 seats and has 3"),
        ({"tables": (TableSpec("of-2", 2, {"mode": "fancy"}),)}, "the options of table of-2 were"),
        (
            {"tables": (TableSpec("of-2", 2, {"mode": "plain"}, "teams"),)},
            "the seating of table of-2 was distinct and is teams",
        ),
        (
            {"tables": (TableSpec("of-2", 2, {"mode": "plain"}, luck="own"),)},
            "the luck of table of-2 was common and is own",
        ),
        (
            {"tables": (TableSpec("of-2", 2, {"mode": "plain"}, weight=2.5),)},
            "the weight of table of-2 was 1 and is 2.5",
        ),
    ],
)
def test_a_changed_league_is_refused_in_one_sentence(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(LeagueChanged) as caught:
        check_pins(pinned(), msgspec.structs.replace(league(), **change), CONTENTS)
    text = str(caught.value)
    assert sentence in text
    assert "\n" not in text


def test_changed_files_under_one_version_are_refused_by_name() -> None:
    """P-23."""
    with pytest.raises(LeagueChanged, match="the files of bob@1 have changed"):
        check_pins(pinned(), league(), CONTENTS | {"bob@1": Content("changed", "changed")})


@pytest.mark.parametrize(
    ("terms", "what"),
    [
        (EntryTerms(("--depth", "5")), "arguments"),
        (EntryTerms((), {"A": "1"}), "arguments and environment"),
        (EntryTerms(("--depth", "4"), {}, Clock(move_ms=1)), "clock"),
        (EntryTerms(), "arguments"),
    ],
)
def test_a_bot_that_is_entered_otherwise_needs_a_new_label_or_version(terms: EntryTerms, what: str) -> None:
    bob = msgspec.structs.replace(CONTENTS["bob@1"], terms=EntryTerms(("--depth", "4")))
    before = msgspec.structs.replace(pinned(), contents=CONTENTS | {"bob@1": bob})
    check_pins(before, league(), CONTENTS | {"bob@1": bob})
    with pytest.raises(LeagueChanged) as caught:
        check_pins(before, league(), CONTENTS | {"bob@1": msgspec.structs.replace(bob, terms=terms)})
    sentence = f"bob@1 was entered with other values of {what} (enter it again under a new label or version)"
    assert f"pinned: {sentence}; undo this" in str(caught.value)


def test_what_is_pinned_of_a_bot_has_what_the_file_enters_it_with_in_a_folder_or_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text('name = "x"\nversion = "1"\nauthor = "x"\ngames = ["*"]\nrun = ["x"]\n')
    deep, far = EntryTerms(("--depth", "4")), EntryTerms(clock=Clock(move_ms=1))
    entries = (
        Entry("x@1", str(tmp_path)),
        Entry("x+deep@1", str(tmp_path), None, "x@1", deep),
        Entry("far@1", "grpcs://far:1", Remote(), None, far),
    )
    found = contents(league(entries=entries))
    assert found["x@1"].terms == EntryTerms()
    assert found["x+deep@1"] == msgspec.structs.replace(found["x@1"], terms=deep)
    assert found["far@1"] == Content("remote", "", far)


def test_a_league_that_has_begun_keeps_the_luck_that_it_has_where_its_file_says_none() -> None:
    tables = [TableSpec(name, 2, {"mode": "plain"}, luck="own") for name in ("of-2", "new")]
    now = league(tables=tuple(tables), assumed_luck=("of-2", "new"))
    check_pins(pinned(), now, CONTENTS)
    kept = keep_pins(now, pinned())
    assert [table.luck for table in kept.tables] == ["common", "own"]
    assert kept.assumed_luck == ("new",)


@pytest.mark.parametrize(
    ("before", "now", "sentence"),
    [
        ({}, {"same_author": "count"}, 'same_author was "leave out" and is "count"'),
        ({"format": SwissSettings()}, {"format": KnockoutSettings()}, 'its format was {"kind":"swiss"'),
        ({"format": KnockoutSettings()}, {"format": KnockoutSettings(("ann",))}, 'its format was {"kind":"knockout"'),
        ({}, {"format": OpenSettings()}, 'its format was {"kind":"round-robin"'),
    ],
)
def test_a_league_that_has_begun_keeps_its_rules(before: dict[str, Any], now: dict[str, Any], sentence: str) -> None:
    begun = msgspec.structs.replace(pinned(), rules=league(**before).play_rules)
    check_pins(begun, league(**before), CONTENTS)
    with pytest.raises(LeagueChanged) as caught:
        check_pins(begun, league(**before | now), CONTENTS)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (BalancedSettings(), GauntletSettings(("ann",))),
        (GauntletSettings(("ann",)), BalancedSettings(matches=9)),
        (SwissSettings(3), SwissSettings(5)),
        (OpenSettings(matches=9), OpenSettings(matches=99, uncertainty=1.0)),
    ],
)
def test_a_league_may_become_longer_and_a_round_robin_a_gauntlet(before: Settings, now: Settings) -> None:
    begun = msgspec.structs.replace(pinned(), rules=league(format=before).play_rules)
    check_pins(begun, league(format=now), CONTENTS)


def test_a_league_that_has_begun_keeps_its_pieces_with_another_batch() -> None:
    begun = msgspec.structs.replace(pinned(), rules=league(batch=16).play_rules)
    assert keep_pins(league(batch=4), begun).play_rules.batch == 16
    assert keep_pins(league(batch=4, fresh=True), begun).play_rules.batch == 16
    assert league(batch=4, fresh=True).play_rules.batch == 1


def test_a_bot_keeps_the_author_with_whom_it_was_entered_also_when_it_has_left() -> None:
    yans = CONTENTS | {"bob@1": msgspec.structs.replace(CONTENTS["bob@1"], author="yan")}
    begun = msgspec.structs.replace(pinned(), contents=yans)
    with pytest.raises(LeagueChanged, match="the author of bob@1 is another one"):
        check_pins(begun, league(), CONTENTS)
    assert keep_pins(league(("ann",)), begun).authors == {"bob@1": "yan"}
    again = league(entries=(Entry("bob@1", "", source="s" * 64, author="zoe"),))
    check_pins(begun, again, {})
    assert keep_pins(again, begun).authors == {"bob@1": "yan"}
    said = league(entries=(Entry("ann@1", "/a", author="zoe"), Entry("new@1", "/n", author="zoe")))
    assert keep_pins(said, begun).authors == {"bob@1": "yan", "new@1": "zoe"}
    counts = msgspec.structs.replace(begun, rules=league(same_author="count").play_rules)
    assert keep_pins(said, counts).authors == {}


def test_a_refusal_never_shows_a_seed() -> None:
    changed: League = league(seed="00" * 32)
    with pytest.raises(LeagueChanged) as caught:
        check_pins(pinned(), changed, CONTENTS)
    assert SEED.hex() not in str(caught.value)


def test_a_bot_that_is_built_anew_is_named_with_what_to_do() -> None:
    now = CONTENTS | {"bob@1": msgspec.structs.replace(CONTENTS["bob@1"], output="built anew")}
    check_pins(pinned(), league(), now)
    with pytest.raises(LeagueChanged) as caught:
        check_builds(pinned(), now)
    assert str(caught.value) == (
        "the build output of bob@1 has changed since the last run, and the sources have not;"
        " put the old output back, or play on with the new one: referee league run --accept-builds"
    )


def test_build_output_may_be_new_with_a_new_bot_and_where_nobody_knows_what_it_was() -> None:
    unknown = {name: Content(content.sources, "") for name, content in CONTENTS.items()}
    before = msgspec.structs.replace(pinned(), contents=unknown)
    check_builds(before, CONTENTS | {"zoe@1": Content("z", "z")})
    check_builds(pinned(), CONTENTS)


def test_of_a_submitted_bot_what_was_submitted_is_pinned_and_not_where_it_is_unpacked_or_what_was_built() -> None:
    entry = Entry("bee@1", "/unpacked/here", source="s" * 64)
    assert contents(league(entries=(entry,))) == {"bee@1": Content("s" * 64, "")}
