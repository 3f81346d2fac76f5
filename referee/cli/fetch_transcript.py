"""Transcripts from elsewhere. A module that fetches them registers under the entry points `referee.transcripts`."""

from importlib.metadata import entry_points
from pathlib import Path
from typing import Protocol

from referee.core.errors import WrongUse
from referee.match.transcript import Transcript

GROUP = "referee.transcripts"
"""An entry point is a function as `FetchTranscript`; its name stands in all addresses that it takes."""


class NoFetcher(WrongUse):
    """No package is installed that takes such an address."""


class FetchTranscript(Protocol):
    """Gives the transcript of a match in the league at an address."""

    def __call__(self, url: str, match: str, ca: Path | None, token_file: Path | None) -> Transcript:
        """Fetch it.

        Args:
            url: the address of the league.
            match: the id of the match.
            ca: a file with the certificates to trust; None: those this machine trusts.
            token_file: a file with the token to show; None: where tokens usually are.

        Raises:
            Told: it cannot be had.
        """


def fetched(url: str, match: str, ca: Path | None, token_file: Path | None) -> Transcript:
    """The transcript of a match in a league on another server.

    Raises:
        NoFetcher: no module takes such an address.
        Told: the module cannot fetch it.
    """
    for point in entry_points(group=GROUP):
        if point.name in url:
            fetch: FetchTranscript = point.load()
            return fetch(url, match, ca, token_file)
    raise NoFetcher(f"{url!r} is no address of a league; write https://HOST/leagues/NAME")
