"""Every rogue in a league with honest bots: its attack fails, and no other bot notices.

`make ci-rogues` tries all of them; `make test` a few.
"""

import re

import pytest

from tests.rogues.cases import CASES, IN_LINES, NOT_PROMISED, PLAYS_ON, SUCCEEDS, Case, Ending, attacks
from tests.rogues.leagues import Box, Seen, play, undisturbed
from tests.runtime.sandbox.boxes import needs_boxes
from tests.runtime.sandbox.needed import needs_landlock
from tournaments.play.retry_policy import BATCH_FAILURES_ALLOWED

A_FEW = ("processes.kills_its_opponents",)
"""They are tried by `make test`."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2028\u2029]")


def _marks(name: str, escapes: dict[str, str]) -> list[pytest.MarkDecorator]:
    """Attacks that are known to succeed run too, so that a test notices when they no longer do."""
    if name in escapes:
        return [pytest.mark.xfail(reason=escapes[name], strict=True, raises=AssertionError)]
    return []


@pytest.mark.process
@pytest.mark.rogues
@needs_boxes
@pytest.mark.parametrize(
    "case", [pytest.param(case, id=name, marks=_marks(name, NOT_PROMISED)) for name, case in CASES.items()]
)
def test_in_the_box_it_fails_and_nobody_else_notices(case: Case) -> None:
    _assert_fails_in_the_box(case)


@pytest.mark.slow
@pytest.mark.process
@needs_boxes
def test_in_the_box_a_few_of_them_fail() -> None:
    for name in A_FEW:
        _assert_fails_in_the_box(CASES[name])


@pytest.mark.process
@pytest.mark.rogues
@pytest.mark.parametrize(
    "case", [pytest.param(case, id=name, marks=_marks(name, {})) for name, case in CASES.items() if case.bare]
)
def test_without_a_box_it_is_a_real_attack_or_fails_by_itself(case: Case) -> None:
    assert case.bare is not None
    seen = _played(case, "none")
    _assert_ends(case, case.bare, seen)
    if case.bare is not SUCCEEDS:
        assert seen.processes == []
        assert seen.files == []


@pytest.mark.process
@pytest.mark.rogues
@needs_boxes
@pytest.mark.parametrize(
    "case", [pytest.param(case, id=name, marks=_marks(name, NOT_PROMISED)) for name, case in IN_LINES.items()]
)
def test_in_the_box_it_fails_when_it_reads_lines(case: Case) -> None:
    _assert_fails_in_the_box(case)


@pytest.mark.process
@pytest.mark.rogues
@needs_landlock
@pytest.mark.parametrize(
    "case", [pytest.param(case, id=name) for name, case in IN_LINES.items() if name.startswith("pipes.")]
)
def test_behind_landlock_it_fails_with_its_pipes(case: Case) -> None:
    _assert_fails_in_the_box(case, "landlock")


@pytest.mark.process
@pytest.mark.rogues
@pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, case in IN_LINES.items() if case.bare])
def test_without_a_box_it_ends_as_well_when_it_reads_lines(case: Case) -> None:
    assert case.bare is not None
    _assert_ends(case, case.bare, _played(case, "none"))


def _assert_fails_in_the_box(case: Case, box: Box = "bubblewrap") -> None:
    seen = _played(case, box)
    _assert_ends(case, case.boxed, seen)
    assert seen.processes == []
    assert seen.files == []
    assert seen.greeted == 0


def _played(case: Case, box: Box) -> Seen:
    seen = play(case.attack, box, case.terms)
    assert seen.code == 0, seen.printed
    assert _CONTROL.search(seen.printed) is None
    assert seen.digests.keys() == undisturbed(case.terms).digests.keys()  # none was given up
    assert seen.honest == undisturbed(case.terms).honest
    assert seen.broken == ({"rogue@1": BATCH_FAILURES_ALLOWED} if case.terms.breaks else {})
    return seen


def _assert_ends(case: Case, ending: Ending, seen: Seen) -> None:
    """Assert that the rogue ends so in its matches, and nobody else has a fault."""
    kinds = {ending.kind, ending.or_kind} - {None}
    assert [fault for fault in seen.faults if fault.entry != "rogue@1" or fault.kind not in kinds] == []
    won = [fault for fault in seen.faults if re.search(SUCCEEDS.text, fault.text) or "succeeded" in fault.stderr_tail]
    assert ending == SUCCEEDS or not won
    fitting = [fault for fault in seen.faults if re.search(ending.text, fault.text)]
    if ending == PLAYS_ON:
        assert seen.digests == undisturbed(case.terms).digests
    elif ending.always:
        assert fitting == seen.faults
        assert {fault.fixture for fault in fitting} == seen.digests.keys() - seen.honest.keys()
    elif ending.always is None:
        assert fitting == seen.faults
    else:
        assert fitting


def test_every_attack_says_what_it_tries_and_has_its_place_in_the_list() -> None:
    found = dict(attacks())
    assert found.keys() == CASES.keys() | IN_LINES.keys()
    assert [name for name, attack in found.items() if not attack.strike.__doc__] == []
    assert len(found) >= 60
