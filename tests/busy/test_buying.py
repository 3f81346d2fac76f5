"""Rogues that try to gain time, or a match that does not count, by what they do to the core: what each one gains.

The table is printed at the end (`make ci-busy`).
"""

import re
from contextlib import nullcontext

import pytest

from referee.match.starvation import GIVEN_BACK
from referee.match.terms import Clock
from tests.busy.buying import Bought, bought
from tests.busy.load import autogroup, spinning
from tests.busy.needed import needs_root
from tests.conftest import Tell
from tests.rogues.cases import CASES
from tests.runtime.sandbox.needed import needs_bwrap

pytestmark = [pytest.mark.process, pytest.mark.busy, needs_root, needs_bwrap]

CORE = 0
CLOCK = Clock(move_ms=1_500, start_ms=100_000)
LIMIT_S = 1.6
"""With the margin."""

HONEST_WORK = "clocks.spins"
ATTACKS = sorted(name for name in CASES if name.startswith("clocks."))


@pytest.mark.parametrize("beside", [0, 2], ids=["alone_on_its_core", "beside_two_others"])
@pytest.mark.parametrize("by_session", [True, False], ids=["shared_out_to_sessions", "shared_out_to_threads"])
def test_nothing_that_a_bot_does_buys_it_a_void_or_more_time_than_a_bot_gets_that_just_works(
    tell: Tell, by_session: bool, beside: int
) -> None:
    with autogroup(by_session), spinning(beside, (CORE,)) if beside else nullcontext():
        gains = {attack: bought(attack, CLOCK, CORE) for attack in ATTACKS}
    for attack, gain in gains.items():
        tell(f"{attack}, beside {beside} others, by {'session' if by_session else 'thread'}", _counts(gain))
    # Many processes also delay the verdict itself; an answer that comes meanwhile does not count.
    most_s = gains[HONEST_WORK].passed_s + LIMIT_S
    for attack, gain in gains.items():
        assert not gain.void, (attack, gain.verdict)
        assert _is_its_fault(attack, gain.verdict), (attack, gain.verdict)
        assert gain.passed_s < most_s, attack
    # What others took was given back to the one that worked, and no more than that.
    assert gains[HONEST_WORK].passed_s < (1 + GIVEN_BACK) * LIMIT_S


def _is_its_fault(attack: str, verdict: str) -> bool:
    """Whether the rogue has the fault that it has in a league: a flood of frames is a crash, all else a timeout."""
    fault = CASES[attack].boxed
    return re.fullmatch(f"{fault.kind}: .*{fault.text}.*", verdict) is not None


def _counts(gain: Bought) -> dict[str, object]:
    return {"s from question to verdict": f"{gain.passed_s:.2f}", "s given back": f"{gain.kept_s:.2f}"}
