"""Leagues on a busy machine: nobody pays for it, and the results are those of a quiet one.

What each rule did is printed at the end (`make ci-busy`).
"""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.busy.leagues import Running, Seen, Terms, assert_nobody_paid, played
from tests.busy.load import autogroup, spinning, writing
from tests.busy.needed import needs_root
from tests.busy.stops import Stopping, stops
from tests.conftest import Tell
from tests.runtime.sandbox.needed import needs_bwrap

pytestmark = [pytest.mark.process, pytest.mark.busy]

STOPS = 100
STOPS_OF_ONE = 16
THINKING_MS = 10
BANK_MS = 3_000

ON_ONE_CORE = 6
"""So many processes spin on every core."""


def _assert_nobody_paid(tell: Tell, what: str, leagues: Sequence[Terms], seen: Sequence[Seen]) -> None:
    for terms, each in zip(leagues, seen, strict=True):
        name = "boxed" if terms.boxed else "without a box"
        tell(f"{what}, {terms.clock}, {name}{', fresh' if terms.fresh else ''}", each.counts)
    for terms, each in zip(leagues, seen, strict=True):
        assert_nobody_paid(each, terms)


@needs_bwrap
def test_four_leagues_at_once(tell: Tell) -> None:
    leagues = [Terms(40), Terms(40, "move_ms = 200"), Terms(40, "move_ms = 200", workers=2), Terms(10, fresh=True)]
    _assert_nobody_paid(tell, "four leagues at once", leagues, played(leagues))


@needs_bwrap
def test_runners_and_workers_that_are_stopped_at_random_moments(tell: Tell) -> None:
    bank = f"move_ms = 0, bank_ms = {BANK_MS}"
    hasty = "move_ms = 2_000, start_ms = 5_000"
    kinds = [
        Terms(105, bank, thinking_ms=THINKING_MS),
        Terms(14, bank, fresh=True, thinking_ms=THINKING_MS),
        Terms(105, hasty, boxed=False, workers=2, thinking_ms=THINKING_MS),
        Terms(14, hasty, boxed=False, fresh=True, thinking_ms=THINKING_MS),
    ]
    leagues = kinds * 2
    with TemporaryDirectory(prefix="bz-") as top:
        running = [Running(Path(top) / str(number), terms) for number, terms in enumerate(leagues)]
        stopping = [Stopping(league, stops(STOPS_OF_ONE, seed)) for seed, league in enumerate(running)]
        for each in stopping:
            each.start()
        seen = [league.seen() for league in running]
        for each in stopping:
            each.join()
    made = [stop for each in stopping for stop in each.made]
    everybody = sum(stop.everybody for stop in made)
    tell("stops", {"of runner and workers": everybody, "of a worker": len(made) - everybody})
    _assert_nobody_paid(tell, "stopped", leagues, seen)
    assert len(made) >= STOPS
    # A third of a bank is far more than a bot can be charged for a stop between two looks.
    assert max(each.longest_us for each in seen) < (THINKING_MS + BANK_MS / 3) * 1_000


@needs_root
@needs_bwrap
@pytest.mark.parametrize("by_session", [True, False], ids=["shared_out_to_sessions", "shared_out_to_threads"])
def test_a_machine_whose_cores_and_disk_are_busy(tell: Tell, by_session: bool, tmp_path: Path) -> None:
    leagues = [Terms(20, workers=2), Terms(20, "move_ms = 200"), Terms(3, fresh=True)]
    with autogroup(by_session), spinning(ON_ONE_CORE), writing(tmp_path):
        seen = played(leagues)
    _assert_nobody_paid(tell, f"busy cores and disk, by {'session' if by_session else 'thread'}", leagues, seen)
