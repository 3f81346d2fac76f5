"""Serves the player in player.py to the referee. The bot's name is in bot.toml.

Start it with `python bot.py [--rule fnv|greedy] [ADDRESS]`. The referee gives the address, such as
`unix:/path/to/socket`. Without an ADDRESS it is the one in the variable REFEREE_ADDRESS.
"""

import argparse

from player import Player
from referee_bot import serve


def main() -> None:
    """Reads the arguments, and serves."""
    parser = argparse.ArgumentParser(description="Serves a player to the referee.")
    parser.add_argument("--rule", choices=["fnv", "greedy"], default="fnv")
    parser.add_argument("address", nargs="?")
    arguments = parser.parse_args()
    serve(lambda start: Player(start, arguments.rule), arguments.address)


if __name__ == "__main__":
    main()
