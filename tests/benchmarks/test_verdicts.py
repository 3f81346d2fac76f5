import asyncio

import pytest

from benchmarks.verdicts import verdict_s


@pytest.mark.process
def test_the_verdict_on_a_bot_that_dies_is_timed() -> None:
    assert asyncio.run(verdict_s("dead")) > 0
