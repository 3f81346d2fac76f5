"""Follows a submission step by step. Pure: it computes the new steps from the current state."""

from collections.abc import Iterator

from tournaments.league.submissions import UNDER_WAY, State
from tournaments.web.service.worker_messages import WorkInProgress
from tournaments.web.visibility.entry_view import SubmissionStep, SubmissionView


class Follower:
    """The steps that a follower knows so far."""

    def __init__(self) -> None:
        self._parts = 0
        self._sent_text = ""
        self._attempt = 0
        self._state: State | None = None

    def steps(self, submission: SubmissionView, live: WorkInProgress | None) -> Iterator[SubmissionStep]:
        """The new steps.

        Args:
            submission: the submission as it is stored, with its whole log.
            live: the messages of the submission worker about the current state, not stored yet; None: there are none.
        """
        for part in submission.log[self._parts :]:
            yield from self._in(part.state, self._rest(part.text))
            self._parts += 1
            self._sent_text = ""
        if submission.state not in UNDER_WAY:
            yield SubmissionStep(submission.state, is_over=True)
        elif live is not None and live.state == submission.state:
            yield from self._hear(live)
        else:
            yield from self._in(submission.state, "")

    def _hear(self, live: WorkInProgress) -> Iterator[SubmissionStep]:
        if live.attempt != self._attempt:
            self._attempt = live.attempt
            self._sent_text = ""
        new = live.text[len(self._sent_text) :]
        self._sent_text = live.text
        yield from self._in(live.state, new)

    def _rest(self, text: str) -> str:
        """The unsent rest of a complete log. If the sent part does not match it, this is the whole log."""
        whole = f"{text}\n" if text else ""  # the store drops line breaks at its end
        if whole.startswith(self._sent_text):
            return whole[len(self._sent_text) :]
        return "" if self._sent_text.rstrip("\n") == text else whole

    def _in(self, state: State, text: str) -> Iterator[SubmissionStep]:
        if text or state != self._state:
            self._state = state
            yield SubmissionStep(state, text)
