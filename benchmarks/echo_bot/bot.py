"""A bot that does not think: it answers every question with the first action. It is served as authors serve theirs."""

from referee_bot import serve
from referee_bot.v1 import bot_pb2 as pb


class Player:
    """One match."""

    def __init__(self, start: pb.MatchStart) -> None:
        """Need nothing of the start."""

    def choose(self, _decision: pb.Decision) -> int:
        """The first action."""
        return 0


if __name__ == "__main__":
    serve(Player)
