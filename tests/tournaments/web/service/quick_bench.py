"""The submission worker with a build environment that starts no processes and takes a moment for each step."""

import time

from tests.tournaments.workshops import FakeWorkshop
from tournaments.league.model import League
from tournaments.play.environment import LocalEnvironment
from tournaments.web.service import background_process, submission_worker


def take_a_moment(_what: str) -> None:
    time.sleep(0.02)


def be_quick() -> None:
    """Use that build environment from now on, for every league."""

    def build_environment(_machine: LocalEnvironment, _league: League) -> FakeWorkshop:
        return FakeWorkshop(before=take_a_moment)

    LocalEnvironment.build_environment = build_environment  # type: ignore[assignment,method-assign] # that is what this is for


if __name__ == "__main__":
    be_quick()
    background_process.work(submission_worker.main)
