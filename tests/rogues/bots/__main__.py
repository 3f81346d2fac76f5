"""`python -m rogues ADDRESS NAME RULE ATTACK`: a bot, and the attack it makes, such as `files.reads_the_store`;
`honest.thinks` is none."""

import importlib
import json
import sys
from pathlib import Path

from .bot import Attack, Given, Rogue


def _attack(name: str) -> Attack:
    module, _, function = name.partition(".")
    attack = getattr(importlib.import_module(f".{module}", __package__), function)
    assert isinstance(attack, Attack)
    return attack


if __name__ == "__main__":
    address, name, rule, attack = sys.argv[1:]
    given = Given(address, **json.loads(Path("given.json").read_text()))
    Rogue(name, int(rule), given, _attack(attack)).serve()
