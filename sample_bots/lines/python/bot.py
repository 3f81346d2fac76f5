"""A bot that reads lines: each line of the referee is a JSON object."""

import json
import sys


def choose(seed: int, message: dict) -> int:
    """The index of an action in message["legal"]. Your thinking goes here."""
    x = seed % 9973 + 7 * message["number"]
    return x * x % 9973 % len(message["legal"])


seed = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        seed = message["seed"]
        print("ready", flush=True)
    elif message["type"] == "decide":
        print(choose(seed, message), flush=True)
