"""The league files of a server. One that has changed is taken in without a restart; a wrong one changes nothing."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path

from msgspec.structs import replace

from referee.core.errors import OurFailure, UserError, WrongUse
from tournaments.league.model import League
from tournaments.league.service_terms import ServiceTerms
from tournaments.play.environment import Environment
from tournaments.results.league_location import past_league
from tournaments.web.service.league_service import LeagueService, ServedLeague, open_league_service
from tournaments.web.service.worker_messages import LeagueJob


class MustRestart(WrongUse):
    """A change of a league file that a server cannot take in."""


class LeagueFiles:
    """The leagues of a server, as their files were when they were last taken in.

    Attributes:
        services: the leagues, by name. A league keeps its object.
        jobs: their files and stores, in the same order.
    """

    def __init__(self, leagues: Sequence[ServedLeague], machine: Environment, tell: Callable[[str], None]) -> None:
        """Open the leagues. `tell` receives what was taken in and what is wrong, in sentences.

        Raises:
            LeagueChanged, StoreError, WrongAddress: as `open_league_service`.
        """
        self.services: dict[str, LeagueService] = {}
        self.jobs = tuple(LeagueJob(str(each.file.absolute()), each.url) for each in leagues)
        self._machine = machine
        self._tell = tell
        self._served = {each.league.name: each for each in leagues}
        self._digests: dict[str, str] = {}
        self._open: dict[str, ExitStack] = {}
        with ExitStack() as until_open:
            until_open.callback(self.close)
            for name, each in self._served.items():
                self.services[name] = self._opened(name, each)
            until_open.pop_all()

    def close(self) -> None:
        """Close all leagues."""
        for each in self._open.values():
            each.close()

    def look(self) -> list[tuple[League, League]]:
        """Take in the files that have changed since the last look. Returns the leagues that are others now: old, new.

        It reads files and stores, and blocks.
        """
        taken = []
        for name, served in list(self._served.items()):
            digest = _digest(served.file)
            if digest == self._digests.get(name):
                continue
            self._digests[name] = digest
            problems: tuple[str, ...] = ()
            try:
                if new := self._changed(served):
                    self._take(name, replace(served, league=new))
                    taken.append((served.league, new))
            except UserError as error:
                problems = tuple(str(error).split("\n"))
                if isinstance(error, OurFailure):  # the store will be back
                    del self._digests[name]
            self._note(name, served.file, problems)
        return taken

    def _changed(self, served: ServedLeague) -> League | None:
        league, _ = past_league(served.file, served.url)
        if (league.name, league.store) != (served.league.name, served.league.store):
            raise MustRestart(f"{served.file.name}: name and store stay while a league is served; start `serve` again")
        return None if league == served.league else league

    def _take(self, name: str, served: ServedLeague) -> None:
        before = self._open[name]
        self.services[name].renew(self._opened(name, served))
        before.close()  # requests that began before still have their connections
        old, new = (each.league.service or ServiceTerms() for each in (self._served[name], served))
        self._served[name] = served
        self._tell(f"{served.file} has changed; {name} is served by it")
        if (old.cores, old.requests) != (new.cores, new.requests):
            self._tell(f"{name}: cores and requests of [service] count when you start `serve` again")

    def _opened(self, name: str, served: ServedLeague) -> LeagueService:
        with ExitStack() as stack:
            service = stack.enter_context(open_league_service(served, self._machine))
            self._open[name] = stack.pop_all()
        return service

    def _note(self, name: str, file: Path, problems: tuple[str, ...]) -> None:
        league = self.services[name].published_league
        if problems and problems != league.file_problems:
            self._tell(f"{file} is not taken in, and {name} is served as before: {'; '.join(problems)}")
        if league.file_problems and not problems:
            self._tell(f"{file} is right again")
        league.file_problems = problems


def _digest(file: Path) -> str:
    try:
        return sha256(file.read_bytes()).hexdigest()
    except OSError as error:
        return str(error)
