"""The list of refused system calls that people read is the list of the filter."""

from referee.runtime.sandbox import seccomp
from referee.runtime.sandbox.description import BY_ARGUMENTS


def test_every_call_that_is_refused_with_some_arguments_is_described() -> None:
    assert set(BY_ARGUMENTS) == seccomp._LOOKED_AT.keys() | seccomp._TIMES
