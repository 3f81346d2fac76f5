"""What a bot in Python needs: `serve` lets the referee play with it, and `v1` has the messages.

    from referee_bot import serve

    serve(Player)

It needs protobuf, and nothing else. `v1` is generated from the files in proto/.
"""

from referee_bot.matches import MatchPlayer
from referee_bot.serving import serve, serve_batched

__all__ = ("MatchPlayer", "serve", "serve_batched")
