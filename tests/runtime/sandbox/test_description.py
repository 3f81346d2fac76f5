"""The list of refused system calls that people read is the list of the filter."""

from referee.runtime.sandbox import seccomp
from referee.runtime.sandbox.description import BY_ARGUMENTS, GROUPS

FILTERED = {name for architecture in seccomp.ARCHITECTURES.values() for name in architecture.numbers}


def test_every_call_that_is_refused_whatever_its_arguments_is_in_one_group_and_no_other_call() -> None:
    grouped = [call for calls in GROUPS.values() for call in calls]
    assert sorted(grouped) == sorted(FILTERED - seccomp._LOOKED_AT)


def test_every_call_that_is_refused_with_some_arguments_is_described() -> None:
    assert set(BY_ARGUMENTS) == seccomp._LOOKED_AT | seccomp._TIMES
