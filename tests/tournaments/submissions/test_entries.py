"""Leagues with bots that are kept in the store: when they play, what a league pins, and equal results."""

import contextlib
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.tournaments.fakes import GAME, FakeExecutor, FakeMachine, Run, Stopped, auction_league
from tests.tournaments.stores import in_sql
from tests.tournaments.workshops import FakeWorkshop, entered, pipeline
from tournaments.league.format_settings import GauntletSettings, KnockoutSettings, OpenSettings, SwissSettings
from tournaments.league.model import Entry, League
from tournaments.league.service_terms import SubmissionTerms
from tournaments.maintenance.salvage import salvage
from tournaments.play.bots import RollCall
from tournaments.play.participants import TooFewBots
from tournaments.results.league_location import NeverRun
from tournaments.results.organizer_actions import BotEntered, WasSubmitted, enter_bot, withdraw_bot
from tournaments.results.stored_league import open_results
from tournaments.results.verify import differences
from tournaments.store import Store
from tournaments.submissions.tree_cache import CacheError

TERMS = SubmissionTerms(free_mib=0)
THREE = ("ant", "bee", "cow")


def growing(*bots: str, **other: Any) -> League:
    """A league to which bots may be submitted."""
    return replace(auction_league(bots, deals=2), submissions=TERMS, **other)


def url(folder: Path) -> str:
    return f"sqlite:///{folder / 'store.sqlite'}"


def submit(folder: Path, planned: League, *names: str, shop: FakeWorkshop | None = None) -> None:
    for name in names:
        assert entered(url(folder), planned, shop or FakeWorkshop(), name, game=GAME).state == "entered"


def played(folder: Path, planned: League) -> tuple[set[str], str]:
    """The bots that play in a run, and the digest after it."""
    with Run(folder, planned) as run:
        run.play(FakeExecutor())
        table = run.standings()
        return {line.bot for line in table.standings}, table.digest


def begun(folder: Path, planned: League) -> None:
    """Play only the first matches of a league."""
    with Run(folder, planned) as run, contextlib.suppress(Stopped):
        run.play(FakeExecutor(stops_after=2))


@pytest.fixture(autouse=True)
def shop(monkeypatch: pytest.MonkeyPatch) -> FakeWorkshop:
    """The workshop of the player; where bots were submitted it is another one on the same platform."""
    found = FakeWorkshop()
    monkeypatch.setattr("tests.tournaments.fakes.FakeMachine.build_environment", lambda _machine, _league: found)
    return found


def test_a_league_of_submitted_bots_alone_comes_to_the_digest_of_one_whose_file_names_them(
    tmp_path: Path, shop: FakeWorkshop
) -> None:
    submit(tmp_path, growing(), *THREE)
    (tmp_path / "named").mkdir()
    bots = {f"{name}@1" for name in THREE}
    assert played(tmp_path, growing()) == (bots, played(tmp_path / "named", auction_league(THREE, deals=2))[1])
    assert shop.built == []  # what was built when they were submitted is what plays
    with open_results(growing(), url(tmp_path)) as league_results:
        assert {wrong for _, wrong in differences(league_results, GAME)} == {None}
        assert {name: content.output for name, content in league_results.pinned.contents.items()} == dict.fromkeys(
            bots, ""
        )
        sources = {content.sources for content in league_results.pinned.contents.values()}
        assert sources < set(Store(url(tmp_path), "autumn").trees.digests())


def test_the_bots_of_the_file_and_of_the_store_play_together_and_who_comes_later_plays_in_the_next_run(
    tmp_path: Path,
) -> None:
    planned = growing("ant", "bee")
    first = played(tmp_path, planned)[0]
    submit(tmp_path, planned, "cow")
    assert (first, played(tmp_path, planned)[0]) == ({"ant@1", "bee@1"}, {"ant@1", "bee@1", "cow@1"})


@pytest.mark.parametrize("settings", [OpenSettings(matches=60), SwissSettings(rounds=3)])
def test_who_is_entered_while_it_is_played_plays_from_the_next_wave(
    tmp_path: Path, settings: OpenSettings | SwissSettings
) -> None:
    planned = growing(*THREE, "dog", format=settings)
    with Run(tmp_path, planned) as run:
        run.machine.now = FakeExecutor()
        results = run.open.play()
        next(results)
        submit(tmp_path, planned, "eel")
        list(results)
        waves = Store(url(tmp_path), "autumn").issues()
    rosters = ["eel@1" in wave.roster for wave in waves]
    assert (rosters[0], set(rosters[1:])) == (False, {True})


def test_with_too_few_bots_nothing_is_played_and_the_table_is_named(tmp_path: Path) -> None:
    submit(tmp_path, growing(), "ant")
    with pytest.raises(TooFewBots, match="cannot be played yet: table auction: 2 seats need as many bots"):
        played(tmp_path, growing())
    gauntlet = growing("ant", "bee", format=GauntletSettings(("zoe",)))
    with pytest.raises(TooFewBots, match="cannot be played yet: format: challengers"):
        played(tmp_path, gauntlet)


def test_before_the_first_wave_of_a_knock_out_everybody_comes_in(tmp_path: Path) -> None:
    planned = growing("ant", format=KnockoutSettings())
    submit(tmp_path, planned, "bee", "cow", "dog")
    assert len(played(tmp_path, planned)[0]) == 4


def test_elsewhere_a_bot_is_built_again_from_its_source_and_recorded_beside_and_the_digest_is_the_same(
    tmp_path: Path, shop: FakeWorkshop
) -> None:
    submit(tmp_path, growing(), *THREE, shop=FakeWorkshop("elsewhere"))
    (tmp_path / "named").mkdir()
    digest = played(tmp_path / "named", auction_league(THREE, deals=2))[1]
    assert played(tmp_path, growing())[1] == digest
    assert len(shop.built) == 3
    played(tmp_path, growing())
    assert len(shop.built) == 3  # it is not built at every run
    platforms = in_sql(url(tmp_path), "SELECT platform, count(*) FROM build GROUP BY platform ORDER BY platform")
    assert platforms == [("elsewhere", 3), ("here", 3)]
    assert in_sql(url(tmp_path), "SELECT DISTINCT versions FROM build") == [('{"sh":"1.0"}',)]


def test_a_bot_that_cannot_be_built_elsewhere_ends_a_run_that_begins_with_a_sentence(
    tmp_path: Path, shop: FakeWorkshop
) -> None:
    submit(tmp_path, growing(), *THREE, shop=FakeWorkshop("elsewhere"))
    shop.fails_to_build = "there is no compiler"
    with pytest.raises(Exception, match="ant@1 was built elsewhere and cannot be built here: there is no compiler"):
        played(tmp_path, growing())


def test_each_start_is_held_to_what_was_built_and_a_tree_that_is_lost_is_not_replaced_by_another(
    tmp_path: Path,
) -> None:
    submit(tmp_path, growing(), *THREE)
    seen: dict[str, str] = {}

    def note(league: League, *_: object) -> RollCall:
        seen.update({entry.name: entry.place for entry in league.entries})
        return RollCall({}, [], [])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tests.tournaments.fakes.FakeMachine.roll_call", lambda _machine, *given: note(*given))
        played(tmp_path, growing())
    built = dict(in_sql(url(tmp_path), "SELECT entry, built FROM submission"))
    assert {name: Path(place).name for name, place in seen.items()} == built
    changed = Path(seen["ant@1"]) / "bot.sh"
    changed.chmod(0o755)
    changed.write_text("another bot")
    played(tmp_path, growing())
    assert changed.read_text() == "#!/bin/sh\n"
    in_sql(url(tmp_path), "DELETE FROM tree_piece")
    in_sql(url(tmp_path), "DELETE FROM tree")
    with pytest.raises(CacheError, match="the store does not have the tree"):
        played(tmp_path, growing())


def test_a_bot_that_cannot_be_had_when_a_wave_is_issued_is_refused_and_the_others_play_on(tmp_path: Path) -> None:
    planned = growing(*THREE, "dog", format=OpenSettings(matches=60))
    with Run(tmp_path, planned) as run:
        run.machine.now = FakeExecutor()
        results = run.open.play()
        next(results)
        submit(tmp_path, planned, "eel")
        in_sql(url(tmp_path), "DELETE FROM tree_piece")
        in_sql(url(tmp_path), "DELETE FROM tree")
        list(results)
        assert run.open.participants.refused[0].startswith("eel@1 cannot be taken in: the store does not have the tree")
        assert {line.bot for line in run.standings().standings} == {"ant@1", "bee@1", "cow@1", "dog@1"}


def test_a_submitted_bot_is_withdrawn_by_its_submission_only(tmp_path: Path) -> None:
    submit(tmp_path, growing(), *THREE)
    begun(tmp_path, growing())
    with (
        open_results(growing(), url(tmp_path)) as league_results,
        pytest.raises(WasSubmitted, match="referee entry withdraw ant@1"),
    ):
        withdraw_bot(league_results, "ant@1", 5)


def test_a_folder_does_not_come_in_under_the_name_of_an_authors_bot_unless_it_is_given_to_the_organizer(
    tmp_path: Path,
) -> None:
    boxed = growing(*THREE, sandbox="bubblewrap")
    assert entered(url(tmp_path), boxed, FakeWorkshop(), "dog", author="eva", game=GAME).state == "entered"
    played(tmp_path, growing(*THREE))
    ours = Entry("dog@2", "/bots/dog")
    with open_results(growing(*THREE), url(tmp_path)) as league_results:
        with pytest.raises(BotEntered, match="the name dog belongs to eva; take it first: referee entry give dog"):
            enter_bot(league_results, ours, 5)
        with pipeline(url(tmp_path), growing(*THREE), FakeWorkshop(), GAME) as opened:
            opened.give("dog", "organizer", "organizer", 6)
        enter_bot(league_results, ours, 7)


def test_a_league_to_which_bots_were_submitted_was_not_run_by_that(tmp_path: Path) -> None:
    submit(tmp_path, growing(), *THREE)
    with pytest.raises(NeverRun, match="has no results of autumn"), open_results(growing(), url(tmp_path)):
        pass


@pytest.mark.slow
@pytest.mark.parametrize("lost", ["nothing", "what they consisted of"])
def test_a_salvaged_league_goes_on_with_its_submitted_bots_which_are_built_again(
    tmp_path: Path, shop: FakeWorkshop, lost: str
) -> None:
    submit(tmp_path, growing(), *THREE)
    digest = played(tmp_path, growing())[1]
    if lost != "nothing":
        in_sql(url(tmp_path), "DELETE FROM entry")
    new = tmp_path / "new"
    new.mkdir()
    saved = salvage(growing(), tmp_path / "store.sqlite", new / "store.sqlite", FakeMachine(FakeExecutor()), game=GAME)
    assert (saved.wrong, saved.wrong_trees, saved.remaining, saved.trees) == ({}, {}, 0, 6)
    assert played(new, replace(growing(), deals=3))[1] != digest
    assert len(shop.built) == 3
    with Run(new, growing()) as run:
        assert run.standings().digest == digest
