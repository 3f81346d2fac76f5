"""What a rogue that reads lines may do with its pipes. tests/runtime/test_line_bots.py has more, for single matches."""

import contextlib
import os
import time

from .bot import FIRST, OVER, SECOND, STARTED, Moment, at

_HOUR_S = 3600.0


@at(SECOND)
def dies_while_a_child_has_its_pipes(_moment: Moment) -> None:
    """Leaves a child that keeps all pipes open, and ends."""
    if os.fork() == 0:
        time.sleep(_HOUR_S)
    os._exit(3)


@at(SECOND)
def lets_a_child_take_its_messages(moment: Moment) -> None:
    """Lets a child read the next message, so that it does not come here."""
    if os.fork() == 0:
        while True:
            os.read(0, 1 << 16)
    time.sleep(0.2)
    moment.line.message(moment.stream, moment.honest)
    time.sleep(_HOUR_S)


@at(OVER)
def leaves_half_a_line(_moment: Moment) -> bool:
    """Begins a line when a match is over. What it says in the next match would be the rest of it."""
    os.write(1, b" ")
    return False


@at(STARTED)
def answers_before_it_is_asked(moment: Moment) -> None:
    """Says at once what it will choose at its first decision. It may be read when that is asked, as an answer to it."""
    moment.line.message(moment.stream, moment.honest + b"0\n")


@at(FIRST, SECOND)
def answers_at_the_right_moment(moment: Moment) -> None:
    """Answers the next decision, too, a moment after this one: perhaps it is asked by then."""
    moment.line.message(moment.stream, moment.honest)
    time.sleep(0.002)
    moment.line.message(moment.stream, b"0\n")


@at(SECOND)
def floods_with_answers(moment: Moment) -> None:
    """Gives its answer ten thousand times."""
    moment.line.message(moment.stream, moment.honest * 10_000)


@at(SECOND)
def floods_with_empty_lines(moment: Moment) -> None:
    """Says nothing, in a line of its own, without end."""
    while True:
        moment.line.message(moment.stream, b"\n" * 10_000)


@at(FIRST)
def keeps_its_input_from_ending(_moment: Moment) -> bool:
    """Opens the other end of its input, so that it never reads the end, and the other end of its output."""
    with contextlib.suppress(OSError):
        os.open("/proc/self/fd/0", os.O_WRONLY)
        os.open("/proc/self/fd/1", os.O_RDONLY)
    return False
