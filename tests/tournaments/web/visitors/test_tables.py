"""Tables of persons: opened on request, played to the end, stored, and closed when nobody watches."""

import asyncio
from collections.abc import Coroutine
from contextlib import aclosing
from pathlib import Path
from typing import Any, TypeVar

import pytest

from referee.core.outcome import FAULT
from referee.match.replay import verify
from referee.match.transcript import FaultKind, Transcript, from_file
from referee.wire.registry import game_entry
from tests.runtime.test_person_mailbox import decision
from tests.tournaments.web.visitors.puppets import SEATS, TERMS, Hands, play, puppet, room, tables_service, wanted_table
from tournaments.league.service_terms import VisitorTerms
from tournaments.web.visitors.protocol import PERSON, SeatEvents, TablePhase, TableRefused, TableRequest
from tournaments.web.visitors.table import MOST_PAGES, WAITS_S, PersonTable
from tournaments.web.visitors.tables import OpenTables

T = TypeVar("T")
every_game = pytest.mark.parametrize("game", tuple(SEATS))


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(coroutine)


async def glance(it: OpenTables, key: str) -> SeatEvents:
    """The first news of a page that is closed at once."""
    async with aclosing(it.follow(key)) as all_news:
        return await anext(all_news)


def record(content: bytes) -> Transcript:
    transcript, digest = from_file(content)
    assert transcript.digest == digest
    return transcript


@every_game
def test_a_visitor_plays_a_whole_match_which_is_kept_and_verifies(tmp_path: Path, game: str) -> None:
    async def test() -> tuple[list[SeatEvents], bytes]:
        it = tables_service(tmp_path)
        key = (await it.open(wanted_table(game))).key
        news = await play(it, key)
        content = await it.record(key)
        await it.close()
        return news, content

    news, content = run(test())
    transcript = record(content)
    assert news[-1].setting.phase is TablePhase.OVER
    assert transcript.record.header.entries == ("~ann@person", *["puppet@person"] * (SEATS[game] - 1))
    verify(game_entry(game).game, transcript)
    (kept,) = (tmp_path / "kept").iterdir()
    assert record(kept.read_bytes()).record == transcript.record


def test_no_two_matches_have_the_same_deal(tmp_path: Path) -> None:
    async def test() -> set[str]:
        it = tables_service(tmp_path)
        seeds = set()
        for _ in range(2):
            key = (await it.open(wanted_table("agent-avenue"))).key
            await play(it, key)
            seeds.add(record(await it.record(key)).record.header.deal_seed)
        return seeds

    assert len(run(test())) == 2


@every_game
def test_two_persons_play_at_one_table_and_neither_is_told_what_the_other_is_sent(tmp_path: Path, game: str) -> None:
    async def test() -> tuple[list[SeatEvents], list[SeatEvents]]:
        it = tables_service(tmp_path)
        ann = (await it.open(wanted_table(game, persons=2))).key
        ((seat, invitation),) = (await glance(it, ann)).setting.invitations
        assert seat == 1
        bob = (await it.sit(invitation, "bob")).key
        assert ann != bob
        both = await asyncio.gather(play(it, ann, "ann"), play(it, bob, "bob"))
        return both[0], both[1]

    anns, bobs = run(test())
    assert anns[-1].setting.phase is TablePhase.OVER
    assert anns[-1].setting.seats[:2] == ("~ann", "~bob")
    sent = [{message for news in each for message in news.messages} for each in (anns, bobs)]
    ends = [news.messages[-1] for each in (anns, bobs) for news in each[-2:] if news.messages]
    assert sent[0] & sent[1] <= set(ends)  # where all is open, even the end is the same
    assert not any(news.setting.invitations for news in bobs)


def test_an_invitation_is_used_up_and_names_at_a_table_differ(tmp_path: Path) -> None:
    async def test() -> None:
        it = tables_service(tmp_path)
        ann = (await it.open(wanted_table("agonia", persons=2))).key
        ((_, invitation),) = (await glance(it, ann)).setting.invitations
        with pytest.raises(TableRefused, match="somebody at this table is called ~ann"):
            await it.sit(invitation, "ann")
        bob = (await it.sit(invitation, "bob")).key
        for secret in (invitation, ann, bob, "", "ä", "x" * 10_000):
            with pytest.raises(TableRefused, match="this invitation was used already"):
                await it.sit(secret, "eve")
        for key in (invitation, "", "ä", ann[:-1], "x" * 10_000):
            with pytest.raises(TableRefused, match="this table is closed"):
                await it.choose(key, 1, 0)
            with pytest.raises(TableRefused, match="this table is closed"):
                await it.record(key)
            with pytest.raises(TableRefused, match="this table is closed"):
                await glance(it, key)
        await it.close()

    run(test())


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (TableRequest("no-league", {}, (PERSON,), "ann"), "there is no league"),
        (TableRequest("agonia-league", {}, (PERSON,), "ann"), "takes 2 or 3 or 4 or 5 players, not 1"),
        (TableRequest("agonia-league", {}, (), "ann"), "players, not 0"),
        (TableRequest("agonia-league", {}, ("puppet@person",) * 2, "ann"), "no seat is for you"),
        (TableRequest("agonia-league", {}, (PERSON, "greedy@1"), "ann"), "visitors cannot play with 'greedy@1'"),
        (TableRequest("agonia-league", {}, (PERSON, "../../etc"), "ann"), "visitors cannot play with"),
        (TableRequest("agonia-league", {"board": "third"}, (PERSON,) * 2, "ann"), "board: 'third' is not allowed"),
        (TableRequest("agonia-league", {"rounds": "99999"}, (PERSON,) * 2, "ann"), "rounds: '99999' is not allowed"),
        (TableRequest("agonia-league", {"bored": "1"}, (PERSON,) * 2, "ann"), "bored: is not known"),
        (
            TableRequest("agonia-league", {f"o{n}": "1" for n in range(40)}, (PERSON,) * 2, "ann"),
            "there are 40 options",
        ),
        (
            TableRequest("agonia-league", {"board": "secondary"}, (PERSON, "puppet@person"), "ann"),
            "puppets do not play",
        ),
        (TableRequest("agonia-league", {}, (PERSON,) * 2, "<b>"), "you cannot be called that"),
        (TableRequest("agonia-league", {}, (PERSON,) * 2, "x" * 99), "you cannot be called that"),
        (TableRequest("agent-avenue-league", {"ceasefire": "true"}, (PERSON,) * 2, "ann"), "ceasefire is a card"),
    ],
)
def test_a_wish_that_cannot_be_had_is_refused_with_a_reason_and_opens_nothing(
    tmp_path: Path, asked: TableRequest, why: str
) -> None:
    async def test() -> None:
        it = tables_service(tmp_path)
        for _ in range(TERMS.tables + 1):
            with pytest.raises(TableRefused, match=why):
                await it.open(asked)
        await it.open(wanted_table("agonia", persons=2))

    run(test())


def test_only_so_many_tables_are_open_and_what_is_over_makes_room(tmp_path: Path) -> None:
    async def test() -> None:
        it = tables_service(tmp_path)
        keys = [(await it.open(wanted_table("agent-avenue", persons=2))).key for _ in range(2)]
        with pytest.raises(TableRefused, match="no table is free"):
            await it.open(wanted_table("agent-avenue"))
        await it.open(wanted_table("agonia", persons=2))  # another league has tables of its own
        ((_, invitation),) = (await glance(it, keys[0])).setting.invitations
        other = (await it.sit(invitation, "bob")).key
        await asyncio.gather(play(it, keys[0]), play(it, other))
        for _ in range(4):
            key = (await it.open(wanted_table("agent-avenue"))).key
            await play(it, key)
        with pytest.raises(TableRefused, match="this table is closed"):
            await it.record(keys[0])  # the oldest of those that are over
        assert record(await it.record(key)).record.faults == ()
        await it.close()

    run(test())


def test_a_table_without_a_page_is_closed_and_one_with_a_page_is_not(tmp_path: Path) -> None:
    async def test() -> None:
        now = Hands()
        it = tables_service(tmp_path, now=now)
        watched = (await it.open(wanted_table("agent-avenue", persons=2))).key
        left = (await it.open(wanted_table("agent-avenue", persons=2))).key
        page = it.follow(watched)
        await anext(page)
        now.now_s += TERMS.idle_minutes * 60 - 1
        it.close_idle()
        await glance(it, left)  # a glance at it counts
        now.now_s += 2
        it.close_idle()
        await glance(it, left)
        now.now_s += TERMS.idle_minutes * 60
        it.close_idle()
        with pytest.raises(TableRefused, match="this table is closed"):
            await glance(it, left)
        await glance(it, watched)
        await page.aclose()
        now.now_s += TERMS.idle_minutes * 60
        it.close_idle()
        with pytest.raises(TableRefused, match="this table is closed"):
            await glance(it, watched)

    run(test())


def test_a_table_that_waits_in_vain_is_closed_though_a_page_is_open_which_is_told(tmp_path: Path) -> None:
    async def test() -> None:
        now = Hands()
        it = tables_service(tmp_path, now=now)
        waiting = (await it.open(wanted_table("inside-job", persons=3))).key
        played = (await it.open(wanted_table("agonia"))).key
        pages = [it.follow(waiting), it.follow(played)]
        (_, invitation), _ = (await anext(pages[0])).setting.invitations
        await anext(pages[1])
        now.now_s += WAITS_S - 1
        await it.sit(invitation, "bob")
        now.now_s += WAITS_S - 1
        it.close_idle()
        assert (await anext(pages[0])).setting.phase is TablePhase.WAITING
        now.now_s += 2
        it.close_idle()
        last = [news.setting async for news in pages[0]][-1]
        assert (last.phase, last.why) == (TablePhase.VOID, "nobody took the free seat in time")
        with pytest.raises(TableRefused, match="this table is closed"):
            await glance(it, waiting)
        await glance(it, played)  # there nobody is awaited
        await pages[1].aclose()
        await it.close()

    run(test())


def test_a_match_that_everybody_left_is_ended_and_not_kept(tmp_path: Path) -> None:
    async def test() -> None:
        now = Hands()
        it = tables_service(tmp_path, now=now)
        key = (await it.open(wanted_table("agonia"))).key
        page = it.follow(key)
        while (await anext(page)).left_ms is None:
            pass
        await page.aclose()
        now.now_s += TERMS.idle_minutes * 60
        it.close_idle()
        await it.close()

    run(test())
    assert not (tmp_path / "kept").exists()


def test_who_comes_back_is_sent_the_same_bytes_again_and_goes_on(tmp_path: Path) -> None:
    async def test() -> None:
        it = tables_service(tmp_path)
        key = (await it.open(wanted_table("inside-job"))).key
        page, first = it.follow(key), b""
        while not (news := await anext(page)).left_ms:
            first += b"".join(news.messages)
        first += b"".join(news.messages)
        await page.aclose()  # the connection is lost while a decision is open
        again = await glance(it, key)
        assert b"".join(again.messages) == first
        assert again.left_ms is not None
        await play(it, key)
        assert record(await it.record(key)).record.faults == ()

    run(test())


def test_a_person_who_does_not_come_back_loses_by_time_alone(tmp_path: Path) -> None:
    async def test() -> Transcript:
        it = tables_service(tmp_path, VisitorTerms(opponents=("puppet@person",), move_ms=1))
        key = (await it.open(wanted_table("agent-avenue"))).key
        async for _ in it.follow(key):
            pass
        return record(await it.record(key))

    transcript = run(test())
    (fault,) = transcript.record.faults
    assert (fault.seat, fault.kind) == (0, FaultKind.TIMEOUT)
    assert transcript.record.outcome.ending == FAULT


def test_a_seat_hears_nothing_when_only_another_seat_moves(tmp_path: Path) -> None:
    async def test() -> None:
        table = PersonTable(room("agonia", tmp_path), None, (PERSON, PERSON), 0, Hands())
        for seat in (0, 1):
            table.sit(seat, f"~p{seat}")
            table.seats[seat].mailbox.connect(lambda _answer: None)
        pages = [table.follow(seat) for seat in (0, 1)]
        for page in pages:
            await anext(page)
        own, others = (asyncio.ensure_future(anext(page)) for page in pages)
        table.seats[0].mailbox.deliver(decision(1))
        assert len((await own).messages) == 1
        own = asyncio.ensure_future(anext(pages[0]))
        table.seats[0].mailbox.choose(1, 0)
        assert (await own).chosen == {1: 0}
        assert not others.done()
        table.give_up("enough")
        assert (await others).setting.why == "enough"
        for page in pages:
            await page.aclose()

    run(test())


def test_of_too_many_pages_of_a_seat_the_oldest_is_let_go_and_the_others_go_on(tmp_path: Path) -> None:
    async def test() -> None:
        it = tables_service(tmp_path)
        key = (await it.open(wanted_table("agonia", persons=2))).key
        pages = [it.follow(key) for _ in range(MOST_PAGES)]
        for page in pages:
            await anext(page)
        oldest = asyncio.ensure_future(anext(pages[0]))
        await asyncio.sleep(0)
        await glance(it, key)  # one more
        with pytest.raises(StopAsyncIteration):
            await oldest
        ((_, invitation),) = (await glance(it, key)).setting.invitations
        await it.sit(invitation, "bob")
        for page in pages[2:]:
            assert (await anext(page)).setting.seats == ("~ann", "~bob")
        for page in pages:
            await page.aclose()
        await it.close()

    run(test())


def test_a_bug_in_a_match_stops_the_house_loudly(tmp_path: Path) -> None:
    class Broken(type(puppet())):  # type: ignore[misc]
        async def host(self, *_: object) -> Any:
            raise ZeroDivisionError("a bug")

    async def test() -> None:
        broken = room("agonia", tmp_path, TERMS)
        broken = type(broken)(**{name: getattr(broken, name) for name in broken.__struct_fields__} | {
            "bots": {"puppet@person": Broken("puppet", puppet().mailbox, puppet().terms)}
        })  # fmt: skip
        it = OpenTables({broken.league: broken}, tmp_path, print)
        key = (await it.open(wanted_table("agonia"))).key
        running = asyncio.create_task(it.run())
        news = [each async for each in it.follow(key)]
        assert news[-1].setting.phase is TablePhase.VOID
        with pytest.raises(ZeroDivisionError):
            await running

    run(test())


def test_offers_name_leagues_games_and_opponents(tmp_path: Path) -> None:
    async def test() -> None:
        offers = await tables_service(tmp_path).offers()
        assert [(it.league, it.game, it.opponents) for it in offers] == [
            (f"{game}-league", game, ("puppet@person",)) for game in sorted(SEATS)
        ]

    run(test())
