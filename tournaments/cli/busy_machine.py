"""The messages of a run about a busy machine: before it plays, and at its end."""

from tournaments.league.model import FinishedMatch
from tournaments.play.workers.worker_messages import Crowding, MatchVoided, Result


def crowded(crowding: Crowding) -> str:
    """A warning that some workers share a core, with the effect and the remedy."""
    then = "matches take longer, and some may have to be played again"
    workers, alone = crowding.workers, crowding.alone
    if alone:
        cores = "1 free core" if alone == 1 else f"{alone} free cores"
        each = f"--workers {alone} gives each worker a core of its own"
        return f"{workers} workers share {cores}: {then}; {each}"
    wait = "it is better to wait for them" + (", or to play with --workers 1" if workers > 1 else "")
    return f"other runs use every core: {then}; {wait}"


class BusyVoids:
    """The matches of a run that were void because the machine was too busy."""

    def __init__(self) -> None:
        self._count = 0
        self._open: set[str] = set()

    def take(self, result: Result) -> None:
        """Note a result."""
        if isinstance(result, FinishedMatch):
            self._open.discard(result.fixture.id)
        elif isinstance(result, MatchVoided) and result.busy:
            self._count += 1
            self._open.add(result.fixture.id)

    def sentence(self) -> str | None:
        """How many such matches there were, their outcome, and the remedy; None if there were none."""
        if not self._count:
            return None
        matches, each = ("1 match was", "it") if self._count == 1 else (f"{self._count} matches were", "each")
        again = "played again as far as it was still needed" if self._open else "played again"
        return (
            f"{matches} void because the machine was too busy; {each} was {again}."
            " There are fewer of them with fewer workers (--workers),"
            " or with longer limits (move_ms, start_ms) from the beginning of a league"
        )
