"""Bots that run elsewhere. They are called there, and never started, paused or ended by us."""

import asyncio
from pathlib import Path
from typing import ClassVar, Self

import msgspec

from referee.core.errors import FileProblems, WrongUse
from referee.files.addresses import target_of
from referee.files.manifest import ANY_GAME, plain_name, plain_version
from referee.files.secret_files import read_certificates, read_token
from referee.match.terms import USUAL, EntryTerms
from referee.runtime.bot_address import Authorities, Peer
from referee.runtime.bot_stream import BotStream, Description, NoDescription
from referee.runtime.host import HostSettings, StderrListener, ignore_stderr
from referee.runtime.stopwatch import Unobservable
from referee.wire.dialects import GRPC, LINES, Dialect


class Unreachable(WrongUse):
    """A bot cannot be reached now; the match has not begun and can be played later.

    A remote bot does not answer, or the folder of a bot on this machine is away.

    Attributes:
        bot: the bot's name: `name@version`, or its address or folder if it has not said more.
        address: where it was called, or its folder.
    """

    def __init__(self, bot: str, address: str, text: str) -> None:
        # The arguments are the attributes, so that the error survives pickling between processes.
        super().__init__(bot, address, text)
        self.bot = bot
        self.address = address
        self.text = text

    def __str__(self) -> str:
        return f"{self.bot}: {self.text}"


class Credentials(msgspec.Struct, frozen=True):
    """The files that a remote bot is called with.

    Attributes:
        ca: certificates (PEM) of the authorities trusted to sign the bot's; None: those that this machine trusts.
        token_file: holds the token that the bot asks for; None: no token is shown.
    """

    ca: Path | None = None
    token_file: Path | None = None


class RemoteBot(msgspec.Struct, frozen=True):
    """A bot at an address: a `Bot`.

    Attributes:
        address: `grpcs://host:port`, or on this machine `grpc://host:port` or `unix:/path`.
        peer: how to call it.
        name: the name that it must give.
        version: the version that it must give.
        games: the games it says it plays, or `*` for any.
        terms: the terms of its entry.
    """

    address: str
    peer: Peer
    name: str
    version: str
    games: tuple[str, ...] = (ANY_GAME,)
    terms: EntryTerms = USUAL

    has_manifest: ClassVar[bool] = False
    is_ours_to_end: ClassVar[bool] = False
    dialect: ClassVar[Dialect] = GRPC
    description: ClassVar[None] = None

    @property
    def entry(self) -> str:
        """The bot's name: `name@version`."""
        return f"{self.name}@{self.version}"

    @property
    def place(self) -> str:
        """Where the bot is: its address."""
        return self.address

    @property
    def asks_for_a_token(self) -> bool:
        """Whether it is shown a token."""
        return self.peer.token is not None

    def narrowed(self, game: str) -> dict[str, object]:  # noqa: ARG002 - it says nothing of options
        """Nothing: a remote bot lists no options."""
        return {}

    def plays(self, game: str) -> bool:
        """Whether it says that it plays `game`."""
        return game in self.games or ANY_GAME in self.games

    def refusal(self, game: str, options: dict[str, object]) -> str | None:  # noqa: ARG002 - it says nothing of options
        """Why it cannot sit at a table of `game`; None if it can."""
        if self.plays(game):
            return None
        return f"{self.entry} does not play {game}; it says that it plays: {', '.join(self.games)}"

    def on_terms(self, terms: EntryTerms) -> Self:
        """The same bot, entered with `terms`."""
        return msgspec.structs.replace(self, terms=terms)

    async def host(self, hosting: HostSettings, stderr_listener: StderrListener = ignore_stderr) -> "RemoteHost":  # noqa: ARG002 - it is hosted elsewhere
        """A host for the running bot; this starts nothing, and the referee cannot read the bot's output."""
        return RemoteHost(self)


class CallingBot(RemoteBot, frozen=True):
    """A bot that calls the service of its league, and reads and writes lines."""

    dialect: ClassVar[Dialect] = LINES


class RemoteHost(Unobservable):
    """A remote bot that holds a seat: a `Host` that can do nothing but call the bot, whom we neither see nor stop."""

    pending_step = "did not answer Describe"
    ended_by_itself = None
    limit_exceeded = None
    processor_ns = None

    def __init__(self, bot: RemoteBot) -> None:
        self._bot = bot

    async def peer(self) -> Peer:
        """How the bot is called."""
        return self._bot.peer

    async def not_ready(self, reason: str) -> str:
        """Take it that the bot is away.

        Raises:
            Unreachable: always.
        """
        raise Unreachable(self._bot.entry, self._bot.address, reason)

    async def ended(self) -> None:
        """Never return: we do not learn of an end."""
        await asyncio.get_running_loop().create_future()

    async def wait(self, seconds: float) -> None:
        """Return at once: there is no exit status to wait for."""

    async def stderr_tail(self) -> str:
        """Nothing can be read from here."""
        return ""

    async def kill_now(self) -> None:
        """Nothing here is to be ended."""

    def kill(self) -> None:
        """Nothing here is to be ended. Nor is anything paused: the player thinks when it likes."""

    terminate = kill_now
    rest = pause = resume = kill


def peer_at(address: str, credentials: Credentials) -> Peer:
    """How a bot at `address` is called.

    Raises:
        FileProblems: it is no address that can be called, or a file of the credentials cannot be read.
    """
    try:
        target = target_of(address)
    except ValueError as error:
        raise FileProblems([str(error)]) from error
    token = None if credentials.token_file is None else read_token(credentials.token_file)
    ca = None if credentials.ca is None else read_certificates(credentials.ca)
    return Peer(target, token, Authorities(ca) if address.startswith("grpcs:") else None)


async def describe(address: str, peer: Peer, timeout_ms: int) -> Description:
    """The description of the bot at `address`, as the bot sends it now.

    Raises:
        Unreachable: it does not answer.
    """
    line = BotStream(peer)
    try:
        return await line.describe(timeout_ms)
    except NoDescription as error:
        raise Unreachable(address, address, str(error)) from error
    finally:
        await line.drop()


async def meet(address: str, credentials: Credentials, timeout_ms: int) -> RemoteBot:
    """The bot at `address`, as it describes itself.

    Raises:
        FileProblems: as `peer_at`; or it gives itself a name that no bot may have.
        Unreachable: it cannot be reached.
    """
    peer = peer_at(address, credentials)
    description = await describe(address, peer, timeout_ms)
    try:
        plain_name(description.name)
        plain_version(description.version)
    except ValueError as error:
        raise FileProblems([f"{address}: says it is {description.name}@{description.version}: {error}"]) from error
    return RemoteBot(address, peer, description.name, description.version, tuple(description.games))
