"""Serves the player in player.py to the referee. The bot's name is in bot.toml.

All decisions of a batch go to the player at once.
"""

from collections.abc import Sequence

from player import Player
from referee_bot import serve_batched
from referee_bot.v1 import bot_pb2 as pb


def main() -> None:
    """Serve one player for all matches. It keeps nothing of a match: a view holds all that the network sees."""
    player = Player()

    def choose_all(asked: Sequence[tuple[None, pb.Decision]]) -> list[int]:
        return player.choose([decision for _, decision in asked])

    serve_batched(lambda _start: None, choose_all)


if __name__ == "__main__":
    main()
