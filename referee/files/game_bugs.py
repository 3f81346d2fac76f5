"""The match in which a game failed, as a file for whoever mends the game."""

from pathlib import Path

import msgspec

from referee.core.errors import GameBug


def keep(bug: GameBug) -> str:
    """Write the match into the current folder. Returns what happened, and where the match is, in a sentence."""
    path = Path(f"game-bug-{bug.match_id}.json")
    try:
        path.write_bytes(msgspec.json.format(bug.played))
        kept = f"the match up to there is in {path}"
    except OSError as error:
        kept = f"the match could not be kept as {path}: {error.strerror}"
    return f"{bug}, and no bot pays for it; {kept}"
