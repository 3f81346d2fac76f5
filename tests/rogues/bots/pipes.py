"""What a rogue that reads lines may do with its pipes. tests/runtime/test_line_bots.py has more, for single matches."""

import contextlib
import json
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


# In batches. The questions of many matches come one after the other; a row has the match, the decision and the answer.


def _says(moment: Moment, **answer: int) -> None:
    moment.line.message(moment.stream, json.dumps(answer).encode() + b"\n")


@at(FIRST, SECOND)
def names_its_matches(moment: Moment) -> bool | None:
    """Answers with the number of the match, and of the decision."""
    for match, number, index in moment.rows:
        _says(moment, index=index, match=match, number=number)
        return None
    return False


@at(SECOND)
def answers_for_a_match_that_is_not_open(moment: Moment) -> bool | None:
    """Answers for a match that is not played."""
    for match, _, index in moment.rows:
        _says(moment, index=index, match=match + 4_000_000_000)
        return None
    return False


@at(SECOND)
def answers_for_a_match_twice(moment: Moment) -> bool | None:
    """Answers a question, and once more."""
    for match, number, index in moment.rows:
        for _ in range(2):
            _says(moment, index=index, match=match, number=number)
        return None
    return False


@at(SECOND)
def answers_another_decision_of_a_match(moment: Moment) -> bool | None:
    """Answers the decision to come of a match."""
    for match, number, index in moment.rows:
        _says(moment, index=index, match=match, number=number + 1)
        return None
    return False


@at(SECOND)
def says_that_it_is_ready_for_a_decision(moment: Moment) -> bool | None:
    """Says that it is ready when it is asked for a decision."""
    if moment.rows:
        moment.line.message(moment.stream, b"ready\n")
    return None if moment.rows else False


@at(SECOND)
def answers_only_single_questions(moment: Moment) -> bool | None:
    """Never answers in a batch."""
    return None if moment.rows else False


@at(SECOND)
def dies_in_a_batch(moment: Moment) -> bool:
    """Ends in the middle of a batch."""
    if moment.rows:
        os._exit(3)
    return False
