"""Fetches transcripts of matches from a served league, for `referee replay --from`."""

import os
from pathlib import Path

from referee.match.transcript import Transcript, from_file
from tournaments.web.client.address import address
from tournaments.web.client.http_client import LeagueClient, ServiceUnreachable
from tournaments.web.client.token import token


def transcript(url: str, match: str, ca: Path | None, token_file: Path | None) -> Transcript:
    """The transcript of a match on a closed deal.

    Raises:
        BadAddress, FileProblems: the address is invalid, or the token or a file.
        RequestRefused, ServiceUnreachable: the service does not give the transcript.
    """
    line = LeagueClient(address(url), token(token_file, os.environ), ca)
    try:
        return from_file(line.file("transcripts", match))[0]
    except (ValueError, RecursionError) as error:
        raise ServiceUnreachable(f"{line.address.text}: what it sends is no transcript: {error}") from error
