"""A bot that is submitted to a busy machine waits, and does not pay."""

from pathlib import Path

import pytest

from tests.busy.load import autogroup, spinning
from tests.busy.needed import needs_root
from tests.cli.command import referee
from tests.runtime.sandbox.needed import needs_bwrap
from tests.tournaments.web.service.running import serving, token_of
from tournaments.web.client.submit import followed, submitted

pytestmark = [pytest.mark.process, pytest.mark.busy]

ON_ONE_CORE = 2
"""So many processes spin on every core."""

LEAGUE = """
name = "busy"
game = "agent-avenue"
deals = 2
rehearsal = true
[submissions]
free_mib = 0
[[tables]]
name = "table"
seats = 2
"""


@needs_root
@needs_bwrap
@pytest.mark.parametrize("by_session", [True, False], ids=["shared_out_to_sessions", "shared_out_to_threads"])
def test_a_bot_that_is_submitted_to_a_busy_machine_is_entered(
    by_session: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file, bot = tmp_path / "busy.toml", tmp_path / "bee"
    file.write_text(LEAGUE)
    assert referee("new", "python", "--protocol", "grpc", bot).code == 0
    with autogroup(by_session), serving(file) as here, spinning(ON_ONE_CORE):
        line = here.line(token_of("eva", file))
        assert followed(line, submitted(line, bot, None).number, lambda _text: None) == "entered"
