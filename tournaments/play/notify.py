"""Tells a command of the organizer what happened in a run. Whatever the command does, the league goes on."""

import os
import signal
import subprocess
import threading
from collections.abc import Sequence

import msgspec

from tournaments.play.events import BotSuspended, Event, RunEnded

LIMIT_S = 10.0
"""How long the command may take."""

_LAST_WORDS = 200
"""This many characters of what the command said are told if it failed."""


class Notifier:
    """Runs a command for each event that an organizer wants to know of, with the event as JSON on its input.

    Attributes:
        failures: one sentence for each time the command failed, so far.
    """

    def __init__(self, command: Sequence[str], limit_s: float = LIMIT_S) -> None:
        """`command` is the program and its arguments; if it is empty, no command runs."""
        self.failures: list[str] = []
        self._command = list(command)
        self._limit_s = limit_s
        self._threads: list[threading.Thread] = []

    def note(self, event: Event) -> None:
        """Tell of an event if it is a suspension or the end of a run. This does not wait for the command."""
        if self._command and isinstance(event, BotSuspended | RunEnded):
            thread = threading.Thread(target=self._tell, args=(msgspec.json.encode(event),))
            thread.start()
            self._threads.append(thread)

    def close(self) -> None:
        """Wait until all commands have ended, or were ended because they took too long."""
        for thread in self._threads:
            thread.join()
        self._threads.clear()

    def _tell(self, document: bytes) -> None:
        try:
            process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                start_new_session=True,  # so that Ctrl-C is for the run alone, and all of it can be ended
            )
        except (OSError, ValueError) as error:
            self._fail(f"could not be started: {getattr(error, 'strerror', None) or error}")
            return
        try:
            _, said = process.communicate(document, self._limit_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            self._fail(f"took longer than {self._limit_s:.0f} s and was ended")
        else:
            if process.returncode:
                words = said.decode(errors="replace").strip()[-_LAST_WORDS:]
                self._fail(f"ended with {process.returncode}" + (f": {words}" if words else ""))

    def _fail(self, what: str) -> None:
        self.failures.append(f"the command of [notify] {what}")
