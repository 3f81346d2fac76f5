"""Following a submission: what happens to it, as it happens. Pure: of what is known, the steps are what is new."""

from collections.abc import Iterator

from tournaments.league.admission.states import UNDER_WAY, State
from tournaments.web.service.worker_messages import WorkInProgress
from tournaments.web.visibility.entry_view import SubmissionView
from tournaments.web.visibility.submission_steps import SubmissionStep


class Follower:
    """What somebody was told so far."""

    def __init__(self) -> None:
        self._parts = 0
        self._told = ""
        self._attempt = 0
        self._state: State | None = None

    def steps(self, seen: SubmissionView, live: WorkInProgress | None) -> Iterator[SubmissionStep]:
        """What is new.

        Args:
            seen: the submission as it is stored, with its whole log.
            live: what the workbench says of the state that is not stored yet; None: nothing.
        """
        for part in seen.log[self._parts :]:
            yield from self._in(part.state, self._rest(part.text))
            self._parts += 1
            self._told = ""
        if seen.state not in UNDER_WAY:
            yield SubmissionStep(seen.state, is_over=True)
        elif live is not None and live.state == seen.state:
            yield from self._hear(live)
        else:
            yield from self._in(seen.state, "")

    def _hear(self, live: WorkInProgress) -> Iterator[SubmissionStep]:
        if live.attempt != self._attempt:
            self._attempt = live.attempt
            self._told = ""
        new = live.text[len(self._told) :]
        self._told = live.text
        yield from self._in(live.state, new)

    def _rest(self, text: str) -> str:
        """What of a log that is complete now was not told: all, if it is not the one that was told."""
        whole = f"{text}\n" if text else ""  # the line breaks at its end are not stored
        if whole.startswith(self._told):
            return whole[len(self._told) :]
        return "" if self._told.rstrip("\n") == text else whole

    def _in(self, state: State, text: str) -> Iterator[SubmissionStep]:
        if text or state != self._state:
            self._state = state
            yield SubmissionStep(state, text)
