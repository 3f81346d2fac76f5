"""`python -m rogues ADDRESS NAME RULE ATTACK`: a bot, and the attack it makes, such as `files.reads_the_store`;
`honest.thinks` is none. Without an address (`-`) it reads lines."""

import importlib
import json
import sys
from pathlib import Path

from .bot import Attack, Given, Rogue
from .lines import NO_ADDRESS, LineRogue


def _attack(name: str) -> Attack:
    module, _, function = name.partition(".")
    attack = getattr(importlib.import_module(f".{module}", __package__), function)
    assert isinstance(attack, Attack)
    return attack


if __name__ == "__main__":
    address, name, rule, attack = sys.argv[1:]
    given = Given(address, **json.loads(Path("given.json").read_text()))
    kind = LineRogue if address == NO_ADDRESS else Rogue
    kind(name, int(rule), given, _attack(attack)).serve()
