"""What the workbench says while it works, line by line, and what the server remembers of it until the store has it."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeAlias

import msgspec

from tournaments.league.admission.states import State

MOST_TEXT = 100_000
"""Characters of a state that are remembered: as many as are kept of its beginning for good."""

LONGEST_PIECE = 8_000
"""Characters in one piece of news."""


class WorkBegan(msgspec.Struct, frozen=True, tag="began"):
    """The workbench begins with what is to be done in a state of a submission."""

    league: str
    number: int
    state: State


class WorkWrote(msgspec.Struct, frozen=True, tag="wrote"):
    """A piece of its log; words of bots are in it as they came."""

    league: str
    number: int
    text: str


class WorkLeft(msgspec.Struct, frozen=True, tag="left"):
    """The workbench lets go of a submission. `how` says for the organizer how it stands, or what went wrong."""

    league: str
    number: int
    how: str


News: TypeAlias = WorkBegan | WorkWrote | WorkLeft
Key: TypeAlias = tuple[str, int]
"""The league and the number of a submission."""


class LeagueJob(msgspec.Struct, frozen=True):
    """A league whose submissions are worked on.

    Attributes:
        file: the path of its file.
        url: the address of its store.
    """

    file: str
    url: str


class WorkLost(msgspec.Struct, frozen=True):
    """A submission at which a workbench was lost.

    Attributes:
        league: of which league.
        number: its number.
        times: how often.
    """

    league: str
    number: int
    times: int


class WorkerOrders(msgspec.Struct, frozen=True):
    """What a process of ours is told at its start, in one line.

    Attributes:
        jobs: the leagues.
        lost: the submissions at which workbenches were lost. They come after all others.
    """

    jobs: tuple[LeagueJob, ...]
    lost: tuple[WorkLost, ...] = ()


class WorkInProgress(msgspec.Struct):
    """What the workbench has said of the state in which a submission is.

    Attributes:
        attempt: counts how often the workbench began; with another one the text begins anew.
        state: the state.
        text: what it said so far.
    """

    attempt: int
    state: State
    text: str


class WorkBoard:
    """What the workbench is at. It works on one thing at a time, so there is hardly ever more than one."""

    def __init__(self, jobs: Sequence[LeagueJob], tell: Callable[[str], None]) -> None:
        """`jobs` are the leagues it works for; `tell` tells the organizer something in a sentence."""
        self._jobs = tuple(jobs)
        self._tell = tell
        self._live: dict[Key, WorkInProgress] = {}
        self._lost: Counter[Key] = Counter()
        self._attempts = 0

    def live(self, league: str, number: int) -> WorkInProgress | None:
        """What was said of a submission; None if the workbench is not at it."""
        return self._live.get((league, number))

    def line(self, line: bytes) -> None:
        """Take up a line of the workbench."""
        self._take(msgspec.json.decode(line, type=News))

    def gone(self, code: int) -> bytes:
        """The workbench is gone, or was not there yet (0). What the next one is told at its start."""
        if code:
            self._lost.update(list(self._live))
        self._live.clear()
        lost = tuple(WorkLost(league, number, times) for (league, number), times in self._lost.items())
        return msgspec.json.encode(WorkerOrders(self._jobs, lost))

    def _take(self, news: News) -> None:
        key = news.league, news.number
        match news:
            case WorkBegan():
                self._attempts += 1
                self._live[key] = WorkInProgress(self._attempts, news.state, "")
            case WorkWrote():
                live = self._live[key]
                live.text += news.text[: MOST_TEXT - len(live.text)]
            case WorkLeft():
                self._live.pop(key, None)
                self._tell(f"{news.league}: submission {news.number}: {news.how}")
