"""What the kernel holds for a process counts as its memory."""

import os
import select
from collections.abc import Callable
from mmap import MAP_PRIVATE, PROT_READ, mmap

import pytest

from referee.runtime.sandbox import resource_watch

KIB = 1 << 10


def grown(hold: Callable[[], object], processes: int = 1) -> int:
    """By how many bytes more this process counts while it holds something."""
    before = resource_watch._own_bytes(os.getpid(), processes)
    _held = hold()
    return resource_watch._own_bytes(os.getpid(), processes) - before


SLACK = 256 * KIB
"""This process takes some memory for itself."""


def test_an_open_file_counts_as_much_as_half_of_a_small_pipe() -> None:
    pipes: list[tuple[int, int]] = []
    more = grown(lambda: pipes.extend([os.pipe() for _ in range(100)]))
    for end in (end for pipe in pipes for end in pipe):
        os.close(end)
    assert 1600 * KIB <= more < 1600 * KIB + SLACK


def test_every_file_that_an_epoll_set_watches_counts() -> None:
    ends = os.pipe()
    numbers = [os.dup(ends[0]) for _ in range(50)]
    with select.epoll() as one, select.epoll() as other:

        def watch() -> None:
            for number in numbers:
                one.register(number)
                other.register(number)

        more = grown(watch)
    for number in (*ends, *numbers):
        os.close(number)
    assert 400 * KIB <= more < 400 * KIB + SLACK


@pytest.mark.parametrize(("processes", "each"), [(1, 2112), (10, 2688)])
def test_mappings_count_and_more_where_more_processes_may_share_their_pages(processes: int, each: int) -> None:
    more = grown(lambda: [mmap(-1, 4096, flags=MAP_PRIVATE, prot=PROT_READ * (n % 2)) for n in range(1000)], processes)
    assert 900 * each <= more < 1000 * each + SLACK


def test_a_process_that_is_gone_takes_nothing() -> None:
    assert resource_watch._own_bytes(2**22 + 1, 1) == 0
