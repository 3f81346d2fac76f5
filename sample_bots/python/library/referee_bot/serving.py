"""Serves a bot over sockets, until its process is ended.

One thread does everything, and nothing runs while nothing is asked. So a player may use what belongs to the main
thread, and no two players think at the same time. No socket blocks, so a client that does not read, or says nothing,
keeps nobody else from being served.
"""

import gc
import os
import select
import socket
import stat
import sys
from typing import Final, NoReturn, TypeVar

from referee_bot.calls import BotMethods, Calls
from referee_bot.matches import (
    MAX_BATCH,
    ChooseAll,
    MatchPlayer,
    NewPlayer,
    PythonBot,
    choose_one_by_one,
    description,
)

_UNIX: Final = "unix:"
_AT_ONCE: Final = 1 << 16

_MOST_CLIENTS: Final = 16
"""How many connections may be open. One more ends the oldest that has not begun a call that it may make."""

T = TypeVar("T")


def serve(new_player: NewPlayer[MatchPlayer], address: str | None = None, *, max_batch: int = MAX_BATCH) -> NoReturn:
    """Serve a bot to the referee, until its process is ended.

    `new_player` is called with the `MatchStart` of every match, and makes the player of this match. The file bot.toml
    beside the program that was started says who the bot is.

    An error of a player goes to stderr with its traceback, and ends the stream. So the match is lost.

    Args:
        new_player: makes a player; a class whose `__init__` takes a `MatchStart` will do.
        address: where to listen: `unix:PATH` or `HOST:PORT`. None: where the variable REFEREE_ADDRESS says.
        max_batch: how many matches the bot plays at once at most. A batch gets the time of one decision.

    Raises:
        SystemExit: there is no address.
        OSError: nothing can listen there, or there is no bot.toml.
    """
    serve_batched(new_player, choose_one_by_one, address, max_batch=max_batch)


def serve_batched(
    new_player: NewPlayer[T], choose_all: ChooseAll[T], address: str | None = None, *, max_batch: int = MAX_BATCH
) -> NoReturn:
    """Serve a bot that decides for many matches at once, such as one with a neural network; see `serve`.

    `choose_all` gets the players and the decisions of all matches in a message: of one match, or of a batch. It returns
    the index of the chosen action for each decision, in their order. A player may be anything, also None.
    """
    address = address or os.environ.get("REFEREE_ADDRESS")
    if not address:
        sys.exit("where to listen? Set REFEREE_ADDRESS, or call serve() with an address")
    token = os.environ.get("REFEREE_TOKEN")
    if token == "":
        sys.exit("REFEREE_TOKEN is empty: give the bot a token, or leave the variable out")
    listener = _listener(address)  # first: the referee can already connect, and calls once
    service = PythonBot(_read_description(max_batch), new_player, choose_all)
    gc.freeze()  # what is there by now stays, so the collector need not look at it again and again
    _Server(listener, service, token).run()


def _read_description(max_batch: int) -> bytes:
    """What bot.toml beside the program says about the bot."""
    import tomllib  # noqa: PLC0415 - only a program that serves needs it

    path = os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), "bot.toml")  # noqa: PTH100, PTH118, PTH120
    with open(path, "rb") as file:  # noqa: PTH123 - without pathlib it starts sooner
        about = tomllib.load(file)
    return description(about["name"], about["version"], about["games"], max_batch)


def _listener(address: str) -> socket.socket:
    if address.startswith(_UNIX):
        path = address.removeprefix(_UNIX)
        _remove_socket(path)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(path)
    else:
        host, _, port = address.rpartition(":")
        host = host.strip("[]")
        listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # the referee keeps the port for us
        listener.bind((host, int(port)))
    listener.listen()
    listener.setblocking(False)
    if address.endswith(":0") and not address.startswith(_UNIX):
        print(f"REFEREE_PORT={listener.getsockname()[1]}", flush=True)
    return listener


def _remove_socket(path: str) -> None:
    """Remove the socket that an earlier process has left."""
    try:
        if stat.S_ISSOCK(os.lstat(path).st_mode):
            os.unlink(path)  # noqa: PTH108 - without pathlib it starts sooner
    except FileNotFoundError:
        pass


class _Client:
    """One connection."""

    def __init__(self, link: socket.socket, service: BotMethods, token: str | None) -> None:
        self.calls = Calls(service, token)
        self._link = link
        self._unsent = b""
        link.setblocking(False)
        if link.family != socket.AF_UNIX:
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def read(self) -> bool:
        """Take what came, and answer it. Returns whether the connection goes on."""
        try:
            octets = self._link.recv(_AT_ONCE)
        except BlockingIOError:
            return True
        for answer in self.calls.receive(octets):
            if answer:
                self._send(answer)
            if self.calls.are_over:
                return False
        return bool(octets)

    def write(self) -> None:
        """Send as much as the socket takes of what waits."""
        unsent, self._unsent = self._unsent, b""
        self._send(unsent)

    @property
    def is_blocked(self) -> bool:
        """Whether something waits for the socket."""
        return bool(self._unsent)

    def _send(self, octets: bytes) -> None:
        if not self._unsent:
            try:
                sent = self._link.send(octets)
            except BlockingIOError:
                sent = 0
            octets = octets[sent:]
        self._unsent += octets

    def close(self) -> None:
        """Close the connection."""
        self._link.close()


class _Server:
    """All connections."""

    def __init__(self, listener: socket.socket, service: BotMethods, token: str | None) -> None:
        self._listener = listener
        self._service = service
        self._token = token
        self._clients: dict[int, _Client] = {}  # by descriptor, the oldest first
        self._poll = select.poll()

    def run(self) -> NoReturn:
        """Serve until the process is ended."""
        self._poll.register(self._listener, select.POLLIN)
        while True:
            for descriptor, events in self._poll.poll():
                client = self._clients.get(descriptor)
                if descriptor == self._listener.fileno():
                    self._accept()
                elif client is not None:
                    self._attend(descriptor, client, events)

    def _accept(self) -> None:
        try:
            link, _ = self._listener.accept()
        except OSError:  # it has hung up already, or there are too many files
            return
        if len(self._clients) >= _MOST_CLIENTS and not self._make_room():
            link.close()
            return
        self._clients[link.fileno()] = _Client(link, self._service, self._token)
        self._poll.register(link, select.POLLIN)

    def _make_room(self) -> bool:
        """End the oldest connection that was never allowed a call. Returns whether there was one."""
        for descriptor, client in self._clients.items():
            if not client.calls.were_allowed:
                self._close(descriptor, client)
                return True
        return False

    def _attend(self, descriptor: int, client: _Client, events: int) -> None:
        was_blocked = client.is_blocked
        try:
            if events & select.POLLOUT:
                client.write()
            goes_on = not events & ~select.POLLOUT or client.read()
        except OSError:  # it has hung up
            goes_on = False
        if not goes_on:
            self._close(descriptor, client)
        elif client.is_blocked != was_blocked:
            # What a client sends while it does not read is not read, either. So nothing piles up.
            self._poll.modify(descriptor, select.POLLOUT if client.is_blocked else select.POLLIN)

    def _close(self, descriptor: int, client: _Client) -> None:
        self._poll.unregister(descriptor)
        del self._clients[descriptor]
        client.close()
