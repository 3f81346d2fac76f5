"""The foreman keeps a process at work, whatever happens to it."""

import asyncio
from pathlib import Path

import pytest

from tournaments.service import foreman
from tournaments.service.foreman import Foreman


class Ears:
    """Hears what the process says."""

    def line(self, line: bytes) -> None:
        raise AssertionError(line)

    def gone(self, _code: int) -> bytes:
        return b"{}"


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

        keeping = asyncio.create_task(Foreman("antigravity", folder, Ears(), tell).keep())
        await asyncio.wait_for(tried.wait(), 60)
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)

    monkeypatch.setattr(foreman, "_FIRST_REST_S", 0.01)
    asyncio.run(test())
    assert all(
        sentence.startswith("antigravity cannot be started: No such file or directory; it is started again in")
        for sentence in told
    )
