"""The supervisor restarts a process after any failure, and a background process reports its failures."""

import asyncio
from pathlib import Path

import pytest

from referee.core.errors import OurFailure
from tournaments.web.service import background_process
from tournaments.web.service.background_process import Supervisor


def test_a_process_that_cannot_be_started_is_tried_again_and_the_organizer_hears_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, told = tmp_path / "gone" / "bench", list[str]()

    async def test() -> None:
        tried = asyncio.Event()

        def tell(sentence: str) -> None:
            told.append(sentence)
            if len(told) == 2:
                tried.set()

        keeping = asyncio.create_task(Supervisor("antigravity", folder, lambda _code: b"{}", tell).keep())
        await asyncio.wait_for(tried.wait(), 60)
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)

    monkeypatch.setattr(background_process, "_FIRST_REST_S", 0.01)
    asyncio.run(test())
    assert all(
        sentence.startswith("antigravity cannot be started: No such file or directory; it is started again in")
        for sentence in told
    )


def test_a_failure_of_the_process_is_a_sentence_for_the_organizer(capsys: pytest.CaptureFixture[str]) -> None:
    def fails() -> None:
        raise OurFailure("the store is gone")

    with pytest.raises(SystemExit) as ended:
        background_process.work(fails)
    assert ended.value.code == OurFailure.exit_code
    assert capsys.readouterr().err == "referee serve: the store is gone\n"


def test_when_the_server_is_gone_the_process_ends_in_silence(capsys: pytest.CaptureFixture[str]) -> None:
    def speaks_to_nobody() -> None:
        raise BrokenPipeError

    with pytest.raises(SystemExit) as ended:
        background_process.work(speaks_to_nobody)
    assert (ended.value.code, capsys.readouterr().err) == (0, "")
