"""Leagues as commands open them: by their file, with the store that `--store` names, or else the file."""

from contextlib import AbstractContextManager
from pathlib import Path

from tournaments.results.stored_league import KeptLeague, league_in, store_of, to_read


def opened(file: Path, store: str | None) -> AbstractContextManager[KeptLeague]:
    """A league that was run before."""
    league = league_in(file)
    return to_read(league, store or store_of(league, file))
