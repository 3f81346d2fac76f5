"""What can be said to a batch in place of the answers."""

import os
import time

from .bot import BATCHED, DESCRIBED, ENDED_AT_ONCE, READY, SECOND, Moment, Row, answers, at, choice, columns
from .frames import DESCRIBE, PLAY, field, prefixed, varint

HOUR_S = 3600.0
NOT_OPEN = 1 << 30

_earlier: list[tuple[Row, ...]] = []
"""The batches before this one."""


@at(BATCHED)
def answers_for_a_match_that_is_not_open(moment: Moment) -> None:
    """Gives an answer for a match that never began."""
    moment.line.message(PLAY, answers([*moment.rows, (NOT_OPEN, 1, 0)]))


@at(BATCHED)
def answers_for_no_match(moment: Moment) -> None:
    """Gives an answer for match 0, of which there is none."""
    moment.line.message(PLAY, answers([(0, number, index) for _, number, index in moment.rows]))


@at(BATCHED)
def answers_twice_at_once(moment: Moment) -> None:
    """Gives each answer twice in one message."""
    moment.line.message(PLAY, answers(moment.rows * 2))


@at(BATCHED)
def answers_twice_with_two_minds(moment: Moment) -> None:
    """Gives each answer, and then another one."""
    moment.line.message(PLAY, answers([*moment.rows, *((match, number, 0) for match, number, _ in moment.rows)]))


@at(BATCHED)
def answers_twice(moment: Moment) -> bool:
    """Gives all answers in a message, and then again in another one."""
    moment.line.message(PLAY, moment.honest)
    return False


@at(BATCHED)
def floods_with_answers(moment: Moment) -> None:
    """Gives its answers again and again."""
    while True:
        moment.line.data(PLAY, prefixed(moment.honest) * 100)


@at(BATCHED)
def answers_in_pieces(moment: Moment) -> None:
    """Gives each answer in a message of its own, the last one first."""
    for row in reversed(moment.rows):
        moment.line.message(PLAY, answers([row]))


@at(BATCHED)
def answers_in_an_old_spelling(moment: Moment) -> None:
    """Gives each number of a column in a field of its own, as protobuf allows."""
    spelled = (field(place, value) for row in moment.rows for place, value in enumerate(row, start=1))
    moment.line.message(PLAY, field(3, b"".join(spelled)))


@at(BATCHED)
def answers_partly(moment: Moment) -> None:
    """Leaves out the last answer."""
    if moment.rows[1:]:
        moment.line.message(PLAY, answers(moment.rows[:-1]))


@at(BATCHED)
def never_answers(_moment: Moment) -> None:
    """Says nothing."""


@at(BATCHED)
def answers_with_nothing(moment: Moment) -> None:
    """Sends an empty message of answers."""
    moment.line.message(PLAY, field(3, b""))


@at(BATCHED)
def answers_with_nothing_again_and_again(moment: Moment) -> None:
    """Sends empty messages of answers without an end."""
    while True:
        moment.line.data(PLAY, prefixed(field(3, b"")) * 1_000)


@at(BATCHED)
def has_too_few_indices(moment: Moment) -> None:
    """Sends columns of unequal length: an index too few."""
    matches, decisions, indices = zip(*moment.rows, strict=True)
    moment.line.message(PLAY, columns(matches, decisions, indices[1:]))


@at(BATCHED)
def has_too_many_decisions(moment: Moment) -> None:
    """Sends columns of unequal length: a decision too many."""
    matches, decisions, indices = zip(*moment.rows, strict=True)
    moment.line.message(PLAY, columns(matches, (*decisions, 1), indices))


@at(BATCHED)
def has_columns_of_many_thousands(moment: Moment) -> None:
    """Sends far more answers than there were questions, and more bytes than are allowed."""
    moment.line.message(PLAY, answers(moment.rows * 30_000))


@at(BATCHED)
def ends_a_column_in_the_middle_of_a_number(moment: Moment) -> None:
    """Sends a packed column whose last number goes on beyond its end."""
    moment.line.message(PLAY, field(3, field(1, varint(1) + b"\x80")))


@at(BATCHED)
def answers_an_older_batch(moment: Moment) -> None:
    """Answers the batch before this one once more."""
    older = _earlier[-1] if _earlier else tuple((match, number - 1, index) for match, number, index in moment.rows)
    _earlier.append(moment.rows)
    moment.line.message(PLAY, answers(older))


@at(BATCHED)
def answers_decisions_to_come(moment: Moment) -> None:
    """Answers the decisions after those that are asked."""
    moment.line.message(PLAY, answers([(match, number + 1, index) for match, number, index in moment.rows]))


@at(BATCHED)
def is_ready_for_decisions(moment: Moment) -> None:
    """Says Ready for the matches of which decisions are asked."""
    moment.line.message(PLAY, answers([], [match for match, _, _ in moment.rows]))


@at(BATCHED)
def answers_one_by_one(moment: Moment) -> None:
    """Sends a Choice for each decision, as if it was asked alone."""
    for _, number, index in moment.rows:
        moment.line.message(PLAY, choice(number, index))


@at(BATCHED)
def is_ready_singly(moment: Moment) -> None:
    """Says Ready, as if a match began."""
    moment.line.message(PLAY, READY)


@at(SECOND)
def answers_a_single_decision_as_a_batch(moment: Moment) -> None:
    """Sends answers to a batch when it is asked a single decision."""
    moment.line.message(PLAY, answers([(1, moment.number, 0)]))


@at(BATCHED)
def chooses_too_high(moment: Moment) -> None:
    """Chooses the last number that there is, in one match of them."""
    (match, number, _), *others = moment.rows
    moment.line.message(PLAY, answers([(match, number, (1 << 32) - 1), *others]))


@at(BATCHED)
def dies(_moment: Moment) -> None:
    """Ends itself."""
    os._exit(3)


@at(BATCHED)
def hangs_up(moment: Moment) -> None:
    """Closes its connection."""
    moment.line.hang_up()


@at(BATCHED)
def hangs_with_half_an_answer(moment: Moment) -> None:
    """Sends the beginning of a message, and never the rest."""
    moment.line.data(PLAY, prefixed(moment.honest)[:-1])
    time.sleep(HOUR_S)


@at(ENDED_AT_ONCE)
def answers_when_all_is_over(moment: Moment) -> bool:
    """Answers a batch that contains only ends, and continues."""
    moment.line.message(PLAY, answers([(1, 1, 0)]))
    return False


@at(DESCRIBED)
def says_that_it_plays_4_billion(moment: Moment) -> None:
    """Says in Describe that it can play as many matches at once as fit into the field."""
    moment.line.message(DESCRIBE, moment.honest + field(6, (1 << 32) - 1))
    moment.line.end(DESCRIBE)
