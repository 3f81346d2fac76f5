"""The messages of the submission worker, line by line, and the server's memory of them until the store has them."""

from collections import Counter
from collections.abc import Callable
from typing import TypeAlias

import msgspec

from tournaments.league.model import League
from tournaments.league.submissions import State

MOST_TEXT = 100_000
"""Characters of a state's log that the server remembers: as many as the store keeps of its beginning."""

LONGEST_PIECE = 8_000
"""Characters in one piece of news."""


class WorkBegan(msgspec.Struct, frozen=True, tag="began"):
    """The submission worker begins the work of a state of a submission."""

    league: str
    number: int
    state: State


class WorkWrote(msgspec.Struct, frozen=True, tag="wrote"):
    """A piece of its log. It contains the output of bots, unescaped."""

    league: str
    number: int
    text: str


class WorkLeft(msgspec.Struct, frozen=True, tag="left"):
    """The submission worker leaves a submission. `how` tells the organizer its state, or the failure."""

    league: str
    number: int
    how: str


News: TypeAlias = WorkBegan | WorkWrote | WorkLeft
Key: TypeAlias = tuple[str, int]
"""The league and the number of a submission."""


class ServedLeague(msgspec.Struct, frozen=True):
    """A league that is served.

    Attributes:
        file: the path of its file, which may be wrong by now.
        league: the content of the file when it was taken in.
        url: the address of its store. There may be a password in it.
    """

    file: str
    league: League
    url: str


Jobs: TypeAlias = Callable[[], tuple[ServedLeague, ...]]
"""The leagues that are served now."""


class WorkLost(msgspec.Struct, frozen=True):
    """A submission at which a submission worker was lost.

    Attributes:
        league: the name of its league.
        number: its number.
        times: how often.
    """

    league: str
    number: int
    times: int


class WorkerOrders(msgspec.Struct, frozen=True):
    """The orders for a background process, in one line at its start.

    Attributes:
        jobs: the leagues.
        lost: the submissions at which workers were lost. They are worked on last.
        cores: the cores that a runner may use; empty: those of the server.
    """

    jobs: tuple[ServedLeague, ...]
    lost: tuple[WorkLost, ...] = ()
    cores: tuple[int, ...] = ()


class WorkInProgress(msgspec.Struct):
    """The messages of the submission worker about the current state of a submission.

    Attributes:
        attempt: counts the starts of the work; the text begins anew with each.
        state: the state.
        text: the log so far.
    """

    attempt: int
    state: State
    text: str


class WorkBoard:
    """The current work of the submission worker. It does one thing at a time, so there is seldom more than one.

    Attributes:
        checks: how many checks ended.
        check_s: how long they took together, in seconds.
    """

    def __init__(self, jobs: Jobs, tell: Callable[[str], None], clock_s: Callable[[], float] = lambda: 0.0) -> None:
        """`jobs` gives the leagues that it works for now; `tell` reports to the organizer, in a sentence.

        `clock_s` never goes back. Without one, checks take no time.
        """
        self.checks, self.check_s = 0, 0.0
        self._began_s, self._clock_s = 0.0, clock_s
        self._jobs = jobs
        self._tell = tell
        self._live: dict[Key, WorkInProgress] = {}
        self._lost: Counter[Key] = Counter()
        self._attempts = 0

    def live(self, league: str, number: int) -> WorkInProgress | None:
        """The messages about a submission; None if the submission worker does not work on it."""
        return self._live.get((league, number))

    def line(self, line: bytes) -> None:
        """Handle a line of the submission worker."""
        news: News = msgspec.json.decode(line, type=News)
        key = news.league, news.number
        match news:
            case WorkBegan():
                self._attempts += 1
                self._live[key] = WorkInProgress(self._attempts, news.state, "")
                self._began_s = self._clock_s()
            case WorkWrote():
                live = self._live[key]
                live.text += news.text[: MOST_TEXT - len(live.text)]
            case WorkLeft():
                left = self._live.pop(key, None)
                if left is not None and left.state == "checking":
                    self.checks += 1
                    self.check_s += self._clock_s() - self._began_s
                self._tell(f"{news.league}: submission {news.number}: {news.how}")

    def gone(self, code: int) -> bytes:
        """Handle the end of the submission worker, or its absence at first (0). Returns the orders for the next one."""
        if code:
            self._lost.update(list(self._live))
        self._live.clear()
        lost = tuple(WorkLost(league, number, times) for (league, number), times in self._lost.items())
        return msgspec.json.encode(WorkerOrders(self._jobs(), lost))
