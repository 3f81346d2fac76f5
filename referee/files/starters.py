"""Where the programs are that people copy: starters of bots, and what lets a program call a league."""

from pathlib import Path

_PACKAGED = Path(__file__).parents[1] / "starters"
_IN_THE_REPOSITORY = Path(__file__).parents[2] / "sample_bots"


def starters() -> Path:
    """Their folder: in an installed package, or beside the code in the repository."""
    return _PACKAGED if _PACKAGED.is_dir() else _IN_THE_REPOSITORY
