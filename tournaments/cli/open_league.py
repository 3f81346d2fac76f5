"""Leagues as commands open them: by their file, with the store that `--store` names, or else the file."""

from contextlib import AbstractContextManager
from pathlib import Path

from tournaments.results.stored_league import StoredLeague, league_in, open_results, store_to_read


def opened(file: Path, store: str | None) -> AbstractContextManager[StoredLeague]:
    """A league that was run before."""
    league = league_in(file)
    return open_results(league, store_to_read(league, file, store))
