"""Leagues as commands open them: by their file, with the store that `--store` names, or else the file."""

from contextlib import AbstractContextManager
from pathlib import Path

from tournaments.results.league_location import past_league
from tournaments.results.stored_league import StoredLeague, open_results


def opened(file: Path, store: str | None) -> AbstractContextManager[StoredLeague]:
    """A league that was run before."""
    return open_results(*past_league(file, store))
