"""A game that fails at a person's table: one sentence for the person and one for the organizer, and nobody waits."""

import asyncio
import re
from pathlib import Path

import pytest

from tests.failing_game import FailingAuction, install
from tests.tournaments.web.visitors.puppets import play, tables_service, wanted_table
from tests.tournaments.web.visitors.visitor import visitor_at
from tournaments.web.visitors.protocol import TablePhase

FAILED = r"the game auction failed in the match \S+: KeyError: 'pot'; this is a bug of the game"


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FailingAuction:
    monkeypatch.chdir(tmp_path)
    return install(monkeypatch)


@pytest.mark.parametrize("method", ["setup", "apply", "view"])
def test_a_rule_that_raises_ends_the_table_and_its_match_is_kept(
    game: FailingAuction, tmp_path: Path, method: str
) -> None:
    game.fail(method, after=0 if method == "setup" else 1)
    told: list[str] = []

    async def test() -> None:
        tables = tables_service(tmp_path, games=["auction"], tell=told.append)
        running = asyncio.create_task(tables.run())
        news = await play(tables, (await tables.open(wanted_table("auction"))).key)
        assert news[-1].setting.phase is TablePhase.VOID
        assert re.fullmatch(f"the match does not count: {FAILED}", news[-1].setting.why)
        while not told:
            await asyncio.sleep(0.001)
        assert not running.done()  # the other tables go on
        running.cancel()

    asyncio.run(test())
    (kept,) = tmp_path.glob("game-bug-*.json")
    (sentence,) = told
    assert re.fullmatch(f"{FAILED}, and no bot pays for it; the match up to there is in {kept.name}", sentence)


@pytest.mark.parametrize("method", ["describe", "describe_action", "describe_view"])
def test_words_that_raise_close_the_page_with_a_sentence(
    game: FailingAuction, tmp_path: Path, capsys: pytest.CaptureFixture[str], method: str
) -> None:
    game.fail(method)

    async def test() -> str:
        tables = tables_service(tmp_path, games=["auction"])
        key = (await tables.open(wanted_table("auction"))).key
        async with visitor_at(tables).stream(f"/at/{key}/news") as stream:
            while (event := await stream.next()) is not None and event.name == "news":
                pass
            assert event is not None
            assert await stream.next() is None
        await tables.close()
        assert event.name == "closed"
        return str(event.data["why"])

    why = asyncio.run(test())
    assert why == "the game auction failed on the page of a seat: KeyError: 'pot'; this is a bug of the game"
    assert capsys.readouterr().err == f"referee serve: {why}\n"


def test_a_replay_that_cannot_be_drawn_is_refused_with_a_sentence(
    game: FailingAuction, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def test() -> tuple[int, str]:
        tables = tables_service(tmp_path, games=["auction"])
        key = (await tables.open(wanted_table("auction"))).key
        await play(tables, key)
        game.fail("describe_view")
        got = await visitor_at(tables).get(f"/at/{key}/replay")
        await tables.close()
        return got.status, got.json["detail"]

    status, why = asyncio.run(test())
    assert status == 503
    assert re.fullmatch(FAILED, why)
    assert capsys.readouterr().err == f"referee serve: {why}\n"
