"""The contract between a bot stream and its carrier: the two calls of a bot, over one connection."""

from typing import NamedTuple, Protocol

from referee.match.conversation import Garbage
from referee.wire.messages import MAX_BOT_MESSAGE_BYTES

DESCRIBE = "/referee_bot.v1.Bot/Describe"
PLAY = "/referee_bot.v1.Bot/Play"

TOO_LONG = f"a message over {MAX_BOT_MESSAGE_BYTES // 1024} KiB"
COMPRESSED = "a compressed message"


class CallStatus(NamedTuple):
    """How a call ended.

    Attributes:
        code: the name of a code of gRPC; `ok` if all went well; `lost` if our end was, so that a match is void.
        detail: words about it, maybe the bot's own.
    """

    code: str
    detail: str = ""


class CallEnded(Exception):
    """A call ended without an answer."""

    def __init__(self, status: CallStatus) -> None:
        super().__init__(status)
        self.status = status


class UnreadableAnswer(Exception):
    """The answer to a call is nothing that we read; the text says what is wrong with it."""


class PlayListener(Protocol):
    """The listener at our end of `Play`."""

    def on_message(self, message: bytes | Garbage) -> None:
        """Take a message, or something that we do not read as one. This may call `Channel.cancel`."""

    def on_end(self, status: CallStatus | None) -> None:
        """Take the end of the call: no message follows. None: we ended it. The channel calls this once."""


class Channel(Protocol):
    """A connection to a bot, with no more than one call of each kind at a time."""

    @property
    def silence(self) -> str:
        """What to say of a bot that did not answer in time, in words that go after its fault; mostly nothing."""
        return ""

    async def describe(self, request: bytes, timeout_s: float | None) -> bytes:
        """Call `Describe`. A bot that is starting is called again and again until it is up.

        Raises:
            CallEnded: there was no answer, or none in time (`deadline_exceeded`).
            UnreadableAnswer: the answer is too long, or compressed.
        """

    def open(self, listener: PlayListener) -> None:
        """Begin to call `Play`."""

    async def send(self, message: bytes) -> None:
        """Send a message of `Play`. Returns when it has left, or when the call has ended."""

    async def finish(self) -> None:
        """Say that nothing more will be sent. Returns when that has left, or when the call has ended."""

    def cancel(self) -> None:
        """End the call of `Play`, if there is one."""

    async def close(self) -> None:
        """End everything."""
