"""The way of a bot into a league: received, built, checked, entered; by whom; and the state after a kill."""

import gzip
import io
import os
import shutil
import signal
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
import sqlalchemy as sql
from msgspec.structs import replace

from referee.core.errors import Void
from referee.core.tree_listing import Listing, Symlink
from tests.conftest import Tell
from tests.tournaments.accounts import let_in
from tests.tournaments.leagues import league
from tests.tournaments.stores import in_sql
from tests.tournaments.submissions.archives import END, file
from tests.tournaments.submissions.bad import BAD
from tests.tournaments.workshops import Clock, FakeWorkshop, archive, entered, nobody, pipeline
from tournaments.league.format_settings import KnockoutSettings
from tournaments.league.model import Entry
from tournaments.league.service_terms import SubmissionTerms
from tournaments.league.submissions import ORGANIZER, NoSuchEntry, NotNow, SubmissionRefused
from tournaments.schedule.leaving import LeagueMoment
from tournaments.store import NoSuchPerson, Overtaken, Store, Trees
from tournaments.submissions.bot_folders import keep
from tournaments.submissions.pipeline import SubmissionPipeline
from tournaments.submissions.tree_cache import CacheError
from tournaments.submissions.unpack import ArchiveError

OPEN = league((), seats=(2,), sandbox="bubblewrap", submissions=SubmissionTerms(free_mib=0))
HOUSE = Entry("house@1", "/bots/house")

STAYS = "it plays no more, and what it has played still counts"


def roster(url: str) -> list[tuple[str, bool]]:
    """All changes of the roster: which entry, and whether it came."""
    with Store(url, OPEN.name) as store:
        return [(change.name, change.entry is not None) for change in store.changes()]


def audited(url: str) -> list[tuple[str, str, str]]:
    with Store(url, OPEN.name) as store:
        return [(each.who, each.what, each.about) for each in store.submissions.audit()]


def test_a_bot_that_passes_is_on_the_roster_with_its_source_and_all_is_logged(url: str) -> None:
    build_environment, clock = FakeWorkshop(), Clock()
    told: list[str] = []
    with pipeline(url, OPEN, build_environment) as opened:
        received = opened.receive(archive(), "eva", None, clock())
        assert (received.state, received.built, roster(url)) == ("received", None, [])
        ended = opened.go_on(received, clock, told.append)
        assert [(part.state, part.text) for part in opened.log(ended)] == [
            ("building", "compiling"),
            ("checking", "playing\nit plays from the next run"),
        ]
    assert "".join(told) == "received\nbuilding\ncompiling\nchecking\nplaying\nentered\n"
    assert (ended.state, ended.author, ended.entry) == ("entered", "eva", "bee@1")
    assert build_environment.checked == ["here, 1"]
    with Store(url, OPEN.name) as store:
        (change,) = store.changes()
        assert change.entry == Entry("bee@1", "", None, None, source=ended.source, author="eva")
        assert store.submissions.built(ended.source, "here") == ended.built
        assert store.submissions.built(ended.source, "elsewhere") is None
    assert audited(url) == [("eva", what, f"bee@1 ({ended.number})") for what in ("submit", "build", "check", "enter")]


@pytest.mark.parametrize(
    ("build_environment", "states", "log"),
    [
        (FakeWorkshop(fails_to_build="no \x1b[2J compiler"), ["building"], "compiling\nno \\x1b[2J compiler"),
        (FakeWorkshop(fails_in_check="it cheats"), ["building", "checking"], "playing\nit cheats"),
    ],
)
def test_a_bot_that_fails_is_rejected_with_the_reason_in_its_log_and_touches_no_roster(
    url: str, build_environment: FakeWorkshop, states: list[str], log: str
) -> None:
    ended = entered(url, OPEN, build_environment)
    assert (ended.state, roster(url)) == ("rejected", [])
    with Store(url, OPEN.name) as store:
        parts = store.submissions.log(ended.number)
        assert store.submissions.registry(OPEN).owners == {}
    assert ([part.state for part in parts], parts[-1].text) == (states, log)


@pytest.mark.parametrize("kills", [1, 2, 3])
def test_a_bot_that_is_killed_is_neither_entered_nor_rejected_but_checked_again_and_the_third_time_is_its_own_fault(
    url: str, kills: int
) -> None:
    with pipeline(url, OPEN, FakeWorkshop()) as opened:
        received = opened.receive(archive(), "eva", None, 1)
        checking = opened.advance(opened.advance(received, Clock(), nobody), Clock(), nobody)
    build_environment = FakeWorkshop(kills=kills)
    for _ in range(min(kills, 2)):
        with (
            pipeline(url, OPEN, build_environment) as opened,  # each time another process, as after a restart
            pytest.raises(Void, match="bee@1 was killed, so nothing is decided: it failed"),
        ):
            opened.go_on(checking, Clock(), nobody)
    with pipeline(url, OPEN, build_environment) as opened:
        assert opened.under_way() == (replace(checking, changed_ms=opened.under_way()[0].changed_ms),)
        ended = opened.go_on(checking, Clock(), nobody)
        parts = [part.text for part in opened.log(ended) if part.state == "checking"]
    repeated = "playing\nit failed\na process was killed, by others or by the bot, so the checking is repeated"
    last = "playing\nit failed" if kills == 3 else "playing\nit plays from the next run"
    assert (ended.state, parts) == ("rejected" if kills == 3 else "entered", [repeated] * min(kills, 2) + [last])


def test_a_build_that_is_killed_is_repeated_and_a_bot_that_always_kills_it_is_rejected(url: str) -> None:
    build_environment = FakeWorkshop(kills=4)
    with pipeline(url, OPEN, build_environment) as opened:
        bee = opened.receive(archive(), "eva", None, 1)
        cat = opened.receive(archive("cat"), "eva", None, 1)
        for bot, state in ((bee, "rejected"), (cat, "entered")):
            with pytest.raises(Void, match="was killed"):
                opened.go_on(bot, Clock(), nobody)
            if state == "rejected":
                with pytest.raises(Void, match="was killed"):
                    opened.go_on(opened.of("eva", bot.number), Clock(), nobody)
            assert opened.go_on(opened.of("eva", bot.number), Clock(), nobody).state == state
    assert len(build_environment.built) == 1


def test_a_bot_whose_check_was_repeated_has_the_same_number_of_repetitions_in_the_next_check(url: str) -> None:
    with pipeline(url, OPEN, FakeWorkshop(kills=2)) as opened:
        bee = opened.receive(archive(), "eva", None, 1)
        for _ in range(2):
            with pytest.raises(Void, match="was killed"):
                opened.go_on(opened.of("eva", bee.number), Clock(), nobody)
        entered = opened.go_on(opened.of("eva", bee.number), Clock(), nobody)
        left = opened.take_out(entered, "disable", ORGANIZER, "", 2)
    with pipeline(url, OPEN, FakeWorkshop(kills=1)) as opened:
        with pytest.raises(Void, match="was killed"):
            opened.recheck(left, ORGANIZER, Clock(), nobody)
        assert opened.go_on(opened.of("eva", bee.number), Clock(), nobody).state == "entered"


def test_the_same_content_is_the_same_submission_in_whichever_state_and_is_built_once(url: str) -> None:
    build_environment, clock = FakeWorkshop(), Clock()
    with pipeline(url, OPEN, build_environment) as opened:
        first = opened.receive(archive(), "eva", None, clock())
        again = opened.receive(archive(), "eva", None, clock())
        assert again == first
        opened.go_on(again, clock, nobody)
        assert opened.receive(archive(), "eva", None, clock()).state == "entered"
        twin = opened.receive(archive(), "eva", "twin", clock())
        assert (twin.entry, twin.bot, twin.number) == ("bee+twin@1", "bee@1", first.number + 1)
        assert opened.go_on(twin, clock, nobody).state == "entered"
        with pytest.raises(SubmissionRefused, match="the name bee belongs to another author"):
            opened.receive(archive(), "max", None, clock())
    assert len(build_environment.built) == 1


def test_names_of_the_file_and_of_bots_entered_from_folders_are_the_organizers(url: str) -> None:
    planned = replace(OPEN, entries=(replace(HOUSE, name="house+a@1", bot="house@1"),))
    with pipeline(url, planned, FakeWorkshop()) as opened:
        with pytest.raises(SubmissionRefused, match="the name house belongs to another author"):
            opened.receive(archive("house", "2"), "eva", None, 5)
        assert opened.receive(archive("house", "2"), ORGANIZER, None, 5).state == "received"
    with Store(url, OPEN.name) as store:
        store.change("bee@1", Entry("bee@1", "/bots/bee"), 5)
    with pipeline(url, OPEN, FakeWorkshop()) as opened, pytest.raises(SubmissionRefused, match="the name bee belongs"):
        opened.receive(archive("bee", "2"), "eva", None, 5)


def test_of_two_authors_with_one_name_under_way_the_first_who_enters_has_it(url: str) -> None:
    clock = Clock()
    with pipeline(url, OPEN, FakeWorkshop()) as opened:
        slow = opened.receive(archive(version="1"), "eva", None, clock())
        fast = opened.receive(archive(version="2"), "max", None, clock())
        assert opened.go_on(fast, clock, nobody).state == "entered"
        late = opened.go_on(slow, clock, nobody)
        assert late.state == "rejected"
        assert opened.log(late)[-1].text.endswith("the name bee belongs to another author; choose another one")
        opened.check_author(ORGANIZER)
        with pytest.raises(NoSuchPerson, match="there is no person or team eva in the store; persons: none"):
            opened.give("bee", "eva", ORGANIZER, clock())
        with Store(url, OPEN.name) as store:
            let_in(store, "eva")
        opened.give("bee", "eva", ORGANIZER, clock())
        with pytest.raises(SubmissionRefused):
            opened.receive(archive(version="3"), "max", None, clock())
        assert opened.receive(archive(version="3"), "eva", None, clock()).state == "received"
        with pytest.raises(NoSuchEntry, match="nobody has submitted a bot cow"):
            opened.give("cow", "eva", ORGANIZER, clock())
    assert roster(url) == [("bee@2", True)]


def test_a_league_without_a_box_takes_only_the_organizers_bots(url: str) -> None:
    trusting = replace(OPEN, sandbox="none")
    with pipeline(url, trusting, FakeWorkshop()) as opened:
        with pytest.raises(SubmissionRefused, match="it takes only the organizer's bots"):
            opened.receive(archive(), "eva", None, 5)
        assert opened.receive(archive(), ORGANIZER, None, 5).state == "received"


def test_a_knock_out_that_has_begun_takes_nobody_and_whoever_was_too_slow_is_rejected(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = replace(OPEN, format=KnockoutSettings())
    with pipeline(url, cup, FakeWorkshop()) as opened:
        slow = opened.receive(archive(), ORGANIZER, None, 5)
        begun = LeagueMoment.of(cup.format, "under way", 0)
        monkeypatch.setattr(SubmissionPipeline, "moment", lambda *_: begun)
        with pytest.raises(SubmissionRefused, match="nobody enters the league any more: no other bot fits"):
            opened.receive(archive("wasp"), ORGANIZER, None, 5)
        assert opened.go_on(slow, Clock(), nobody).state == "rejected"
    assert roster(url) == []


def test_a_newer_version_takes_the_place_of_the_oldest_if_so_many_are_kept(url: str) -> None:
    one = replace(OPEN, submissions=SubmissionTerms(free_mib=0, versions=1))
    for version in ("1", "2"):
        entered(url, one, FakeWorkshop(), version=version)
    assert roster(url) == [("bee@1", True), ("bee@1", False), ("bee@2", True)]
    with pipeline(url, one, FakeWorkshop()) as opened:
        old = opened.registry().find("bee@1")
        assert old.state == "withdrawn"
        assert opened.log(old)[-1].text == f"bee@2 takes its place\n{STAYS}"


# Refused


def test_of_bad_archives_nothing_is_kept(url: str) -> None:
    with pipeline(url, OPEN, FakeWorkshop()) as opened:
        for make, sentence in BAD.values():
            with pytest.raises(ArchiveError) as caught:
                opened.receive(io.BytesIO(make()), "eva", None, 5)
            assert str(caught.value) == f"the archive is refused: {sentence}"
    assert in_sql(url, "SELECT digest FROM tree UNION ALL SELECT source FROM submission") == []


def test_a_bot_of_another_game_is_refused_in_words_without_our_folders_and_nothing_is_kept(url: str) -> None:
    other = replace(OPEN, tables=(replace(OPEN.tables[0], options={"mode": "fancy"}),))
    with pipeline(url, other, FakeWorkshop()) as opened, pytest.raises(SubmissionRefused) as caught:
        opened.receive(archive("b" * 65), "eva", None, 5)
    assert "tmp" not in str(caught.value)
    assert in_sql(url, "SELECT digest FROM tree UNION ALL SELECT source FROM submission") == []


@pytest.mark.parametrize(
    ("keys", "named"),
    [
        ('run = ["/srv/bots/victim/bin/run"]', "run[0]: /srv/bots/victim/bin/run"),
        ('run = ["bin/../../victim/run"]', "run[0]: bin/../../victim/run"),
        ('run = ["./bot.sh"]\nbuild = ["../victim/make\u202e"]', "build[0]: ../victim/make\\u202e"),
    ],
)
def test_a_bot_that_names_a_program_outside_of_its_folder_is_refused_since_boxes_show_what_is_around_it(
    url: str, keys: str, named: str
) -> None:
    head = 'name = "spy"\nversion = "1"\nauthor = "a"\ngames = ["*"]\n'
    packed = io.BytesIO(gzip.compress(file(b"bot.toml", f"{head}{keys}\n".encode()) + END))
    with pipeline(url, OPEN, FakeWorkshop()) as opened, pytest.raises(SubmissionRefused) as caught:
        opened.receive(packed, "eva", None, 5)
    assert str(caught.value) == (
        f"bot.toml: {named} is not in the bot's folder; name a program in the folder by its path there,"
        " or one that is installed by its name alone"
    )
    assert in_sql(url, "SELECT digest FROM tree UNION ALL SELECT source FROM submission") == []


def test_a_quota_refuses_before_anything_is_kept(url: str) -> None:
    tight = replace(OPEN, submissions=SubmissionTerms(free_mib=0, a_day=1))
    entered(url, tight, FakeWorkshop(), author="eva")
    before = in_sql(url, "SELECT count(*) FROM tree")
    with pipeline(url, tight, FakeWorkshop()) as opened, pytest.raises(SubmissionRefused, match="1 time within a day"):
        opened.receive(archive("wasp"), "eva", None, 1_005)
    assert in_sql(url, "SELECT count(*) FROM tree") == before


def test_with_too_little_room_on_the_disk_nothing_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"sqlite:///{tmp_path / 'league.sqlite'}"

    class Usage(NamedTuple):
        free: int

    monkeypatch.setattr(shutil, "disk_usage", lambda _place: Usage((7 << 20) - 1))
    full = replace(OPEN, submissions=SubmissionTerms(free_mib=7))
    with pipeline(url, full, FakeWorkshop()) as opened, pytest.raises(Exception, match="6 MiB free, and bots are only"):
        opened.receive(archive(), ORGANIZER, None, 5)
    with pipeline(url, replace(OPEN, submissions=SubmissionTerms(free_mib=6)), FakeWorkshop()) as opened:
        assert opened.receive(archive(), ORGANIZER, None, 5).state == "received"


def test_of_many_who_submit_at_once_each_is_received_or_refused_by_quota_and_all_come_to_an_end(url: str) -> None:
    busy = replace(OPEN, submissions=SubmissionTerms(free_mib=0, a_day=2))
    build_environment = FakeWorkshop()
    with pipeline(url, busy, build_environment):
        pass

    def submit(number: int) -> str:
        author, clock = f"author-{number % 4}", Clock()
        with pipeline(url, busy, build_environment) as opened:
            try:
                received = opened.receive(archive(f"bot-{number}"), author, None, clock())
            except SubmissionRefused as reason:
                return str(reason)
            return opened.go_on(received, clock, nobody).state

    with ThreadPoolExecutor(6) as threads:
        ended = Counter(threads.map(submit, range(16)))
    quotas = {f"author-{number} has submitted 2 times within a day; try again tomorrow": 2 for number in range(4)}
    assert ended == {"entered": 8, **quotas}
    assert len(roster(url)) == 8
    with Store(url, OPEN.name) as store:
        assert {each.state for each in store.submissions.registry(busy).submissions} == {"entered"}


def test_a_tree_that_somebody_deletes_while_it_is_received_is_kept_again_but_not_for_ever(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost: list[str] = []

    def keep_and_lose(folder: Path, listing: Listing, trees: Trees, now_ms: int) -> str:
        key = keep(folder, listing, trees, now_ms)
        if len(lost) < most:
            lost.append(key)
            trees.drop(key)
        return key

    monkeypatch.setattr("tournaments.submissions.pipeline.keep", keep_and_lose)
    with pipeline(url, OPEN, FakeWorkshop()) as opened:
        most = 99
        with pytest.raises(CacheError, match="bee@1 is deleted again and again"):
            opened.receive(archive(), ORGANIZER, None, 5)
        assert opened.registry().submissions == ()
        most = len(lost) + 1
        received = opened.receive(archive(), ORGANIZER, None, 5)
        assert opened.go_on(received, Clock(), nobody).state == "entered"


# What the organizer does


def test_what_is_withdrawn_or_disabled_leaves_and_comes_back_when_it_passes_again(url: str) -> None:
    clock, build_environment = Clock(), FakeWorkshop()
    bee = entered(url, OPEN, build_environment)
    with pipeline(url, OPEN, build_environment) as opened:
        left = opened.take_out(bee, "withdraw", ORGANIZER, "too loud", clock())
        assert (left.state, opened.log(left)[-1].text) == (
            "withdrawn",
            f"too loud\n{STAYS}",
        )
        with pytest.raises(NotNow, match="this submission is withdrawn, so there is no withdraw now"):
            opened.take_out(left, "withdraw", ORGANIZER, "", clock())
        assert opened.recheck(left, ORGANIZER, clock, nobody).state == "entered"
        with pytest.raises(Overtaken, match="somebody else has just gone on with bee@1"):
            opened.take_out(left, "disable", ORGANIZER, "", clock())
    assert roster(url) == [("bee@1", True), ("bee@1", False), ("bee@1", True)]
    assert len(build_environment.built) == 1


def test_a_bot_on_the_roster_stays_there_while_it_is_checked_again_and_leaves_if_it_fails(url: str) -> None:
    bee = entered(url, OPEN, FakeWorkshop())
    with pipeline(url, OPEN, FakeWorkshop()) as opened:
        assert opened.recheck(bee, ORGANIZER, Clock(), nobody) == bee
    assert audited(url)[-1] == (ORGANIZER, "recheck", f"bee@1 ({bee.number})")
    with (
        pipeline(url, OPEN, FakeWorkshop(kills=1)) as opened,
        pytest.raises(Void, match="bee@1 was killed, so nothing is decided: it failed"),
    ):
        opened.recheck(bee, ORGANIZER, Clock(), nobody)
    assert roster(url) == [("bee@1", True)]
    with pipeline(url, OPEN, FakeWorkshop(fails_in_check="it cheats")) as opened:
        gone = opened.recheck(bee, ORGANIZER, Clock(), nobody)
        assert gone.state == "disabled"
        assert opened.log(gone)[-1].text == f"playing\nchecked again: it cheats\n{STAYS}"
    assert roster(url) == [("bee@1", True), ("bee@1", False)]


def test_delete_drops_what_nobody_else_needs_and_the_same_files_may_come_again(url: str) -> None:
    clock, build_environment = Clock(), FakeWorkshop()
    bee = entered(url, OPEN, build_environment)
    with pipeline(url, OPEN, build_environment) as opened:
        with pytest.raises(NotNow, match="bee@1 plays in the league; withdraw it first"):
            opened.delete(bee, ORGANIZER, clock())
        twin = opened.go_on(opened.receive(archive(), ORGANIZER, "twin", clock()), clock, nobody)
        opened.delete(opened.take_out(bee, "withdraw", ORGANIZER, "", clock()), ORGANIZER, clock())
        with Store(url, OPEN.name) as store:
            assert set(store.trees.digests()) == {bee.source, bee.built}
        deleted = opened.delete(opened.take_out(twin, "withdraw", ORGANIZER, "", clock()), ORGANIZER, clock())
        with Store(url, OPEN.name) as store:
            assert store.trees.digests() == []
            assert store.submissions.built(bee.source, "here") is None
        with pytest.raises(NotNow, match="possible: nothing any more"):
            opened.recheck(deleted, ORGANIZER, clock, nobody)
        again = opened.go_on(opened.receive(archive(), ORGANIZER, None, clock()), clock, nobody)
        assert (again.state, again.number, len(build_environment.built)) == ("entered", twin.number + 1, 2)


def test_a_tree_that_a_killed_process_left_goes_with_the_next_that_is_deleted_unless_it_has_just_come(url: str) -> None:
    hour_ms = 3_600_000
    bee = entered(url, OPEN, FakeWorkshop())
    with Store(url, OPEN.name) as store:
        old, new = (
            store.trees.keep({}, lambda _name: (), now_ms=0),
            store.trees.keep({"link": Symlink("x")}, lambda _name: (), now_ms=2 * hour_ms - 1),
        )
        store.submissions.sweep(2 * hour_ms)
        assert old not in store.trees.digests()
        assert {new, bee.source, bee.built} == set(store.trees.digests())


def test_what_plays_is_unpacked_for_whoever_wants_to_see_it(url: str, tmp_path: Path) -> None:
    bee = entered(url, OPEN, FakeWorkshop())
    with pipeline(url, OPEN, FakeWorkshop()) as opened:
        opened.unpack(bee, tmp_path / "out", 5)
    assert (tmp_path / "out" / "build" / "made").read_text() == "here, 1"
    assert os.access(tmp_path / "out" / "bot.sh", os.X_OK)


# Killed


KILLS = int(os.environ.get("REFEREE_TEST_KILLS", "2"))
"""How often a submission is killed. A few times are enough for everyday runs of the suite."""


def test_whoever_is_killed_leaves_the_state_before_and_whoever_goes_on_comes_to_the_same_end(tmp_path: Path) -> None:
    points = Random(7).sample(range(1, statements(tmp_path)), KILLS + 2)
    for point in points:
        check_one_end(tmp_path, point)


@pytest.mark.submissions
def test_at_whichever_statement_it_is_killed_that_is_so_and_each_state_is_met(tmp_path: Path, tell: Tell) -> None:
    met = Counter(check_one_end(tmp_path, point) for point in range(1, statements(tmp_path)))
    assert set(met) == {"not there", "received", "building", "checking"}
    tell("what a submission was when it was killed", met)


def check_one_end(folder: Path, point: int) -> str:
    """Kill a submission at a statement of SQL, look at what is left, and submit again; the state that was left."""
    url = f"sqlite:///{folder / f'killed-{point}.sqlite'}"
    with pipeline(url, OPEN, FakeWorkshop()):
        pass
    assert killed_at(point, url)
    with Store(url, OPEN.name) as store:
        states: list[str] = [each.state for each in store.submissions.registry(OPEN).submissions]
        assert [reason for key in store.trees.digests() if (reason := store.trees.wrong(key))] == []
    assert len(states) <= 1
    assert roster(url) == []
    assert entered(url, OPEN, FakeWorkshop()).state == "entered"
    assert roster(url) == [("bee@1", True)]
    assert in_sql(url, "SELECT count(*) FROM submission") == [(1,)]
    return states[0] if states else "not there"


def counted(then: Callable[[int], None]) -> Callable[..., None]:
    """Takes what SQLAlchemy tells of a statement, and calls `then` with its number."""
    numbers = count(1)
    return lambda *_: then(next(numbers))


def statements(folder: Path) -> int:
    """How many statements it takes to submit a bot, each commit counted as one."""
    url = f"sqlite:///{folder / 'whole.sqlite'}"
    with pipeline(url, OPEN, FakeWorkshop()):
        pass
    seen: list[int] = []
    heard = counted(seen.append)
    for event in EVENTS:
        sql.event.listen(sql.Engine, event, heard)
    try:
        entered(url, OPEN, FakeWorkshop())
    finally:
        for event in EVENTS:
            sql.event.remove(sql.Engine, event, heard)
    return seen[-1]


EVENTS = ("before_cursor_execute", "commit")


def killed_at(point: int, url: str) -> bool:
    """Submit a bot in a process that is killed at its n-th statement of SQL; whether it came so far."""
    child = os.fork()
    if child == 0:
        heard = counted(lambda number: os.kill(os.getpid(), signal.SIGKILL) if number == point else None)
        for event in EVENTS:
            sql.event.listen(sql.Engine, event, heard)
        try:
            entered(url, OPEN, FakeWorkshop())
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)
