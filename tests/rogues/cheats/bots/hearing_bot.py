"""The loop of a cheat: as that of any other bot, but its player also hears of the end of a match."""

from player import Player
from referee_bot import matches, serve
from referee_bot.v1 import bot_pb2 as pb


class HearingStream(matches.PlayStream[Player]):
    """The matches of one stream."""

    def answer(self, message: bytes) -> bytes | None:
        received = pb.RefereeMessage.FromString(message)
        if received.HasField("match_end"):
            self._players[0].end(received.match_end)
        return super().answer(message)


if __name__ == "__main__":
    matches.PlayStream = HearingStream  # type: ignore[misc]
    serve(Player)
