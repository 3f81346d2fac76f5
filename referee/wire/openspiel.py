"""The entry of the games of OpenSpiel."""

import re
from importlib.metadata import version
from typing import cast

from referee.core.game import AnyGame
from referee.games.openspiel.game import OpenSpiel
from referee.wire.json_codec import json_entry

_OURS = 1
"""The version of what this project adds to the rules."""


def rules_version(release: str) -> int:
    """The version of the rules with a release of OpenSpiel: 2.0.2 is 1020002. The first digit is that of our part."""
    major, minor, patch = map(int, [*re.findall(r"\d+", release), 0, 0, 0][:3])
    return ((_OURS * 100 + major) * 100 + minor) * 100 + patch


entry = json_entry(cast("AnyGame", OpenSpiel(rules_version(version("open_spiel")))))  # its varieties are loaded late
"""The game entry that the entry point of the group `referee.games` names."""
