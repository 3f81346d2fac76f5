"""Serves the player in player.py to the referee. The bot's name is in bot.toml."""

from player import Player
from referee_bot import serve

if __name__ == "__main__":
    # A batch gets the time of one decision, and each decision of this bot takes some milliseconds.
    serve(Player, max_batch=2)
