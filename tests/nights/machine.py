"""The machine of a night: an `Environment` in virtual time."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from tests.nights.executor import Matches, VirtualExecutor
from tests.nights.faults import AWAY, FOLDER_AWAY
from tests.nights.leagues import NightLeague
from tests.nights.world import World
from tests.tournaments.fakes import nothing_changes
from tests.tournaments.workshops import FakeWorkshop
from tournaments.league.model import Fixture, League
from tournaments.play.bots import RollCall
from tournaments.play.cores import GiveWay
from tournaments.play.workers.worker_messages import Executor, Work
from tournaments.store.pinned_league import Content
from tournaments.submissions.build_environment import BuildEnvironment


class VirtualMachine:
    """Bots without files, workers without processes, and a clock that may jump."""

    def __init__(
        self,
        world: World,
        night: NightLeague,
        matches: Matches,
        begun: Callable[[Fixture], None],
        between_waves: Callable[[], None],
        after_wave: Callable[[], None],
    ) -> None:
        """`begun` is called when a match begins.

        When a wave is decided, `between_waves` is called before, and `after_wave` before it is stored.
        """
        self._world = world
        self._night = night
        self._matches = matches
        self._begun = begun
        self._between_waves = between_waves
        self._after_wave = after_wave
        self._is_called = self._is_decided = False

    def now_ms(self) -> int:
        if self._is_decided:
            self._is_decided = False
            self._after_wave()
        return self._world.now_ms()

    def wait_ms(self, milliseconds: int) -> None:
        self._world.wait_ms(milliseconds)

    def tell(self, sentence: str) -> None:
        raise AssertionError(sentence)

    def new_seed(self) -> bytes:
        return bytes(32)

    def contents(self, league: League) -> dict[str, Content]:
        return nothing_changes(league)

    def roll_call(self, league: League, _store: Path | None, _logs: Path) -> RollCall:
        self._world.step()
        is_first, self._is_called = not self._is_called, True
        away = [entry.name for entry in league.entries if entry.remote and self._world.lasts(AWAY)]
        problems = []
        if is_first and self._world.lasts(FOLDER_AWAY):
            self._world.strike(FOLDER_AWAY)
            problems.append(f"{league.entries[0].place}: the folder is not there")
        return RollCall({}, problems, [f"{name} does not answer" for name in away])

    def build_environment(self, _league: League) -> BuildEnvironment:
        return FakeWorkshop()

    def executor(self, work: Work, _run_dir: Path) -> AbstractContextManager[Executor]:
        self._world.step()
        executor = VirtualExecutor(self._world, self._night, self._matches, self._begun)
        executor.renew(work)
        return nullcontext(executor)

    def turn(self, _lock: Path) -> AbstractContextManager[GiveWay]:
        return nullcontext(self._decide)

    def _decide(self) -> None:
        self._between_waves()
        self._is_decided = True  # the run next looks at the clock when it stores the wave
