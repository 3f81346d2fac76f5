"""Passes calls from a unix socket on to a port of 127.0.0.1. It runs in the box of a bot that listens on a port.

The network of a box has no way out but the file system, so the referee calls a unix socket. The box starts the program
as `python -I -S -c SOURCE SOCKET`. It reads the port from its standard input as soon as that is known. It uses the
standard library only, and imports little, because it starts with every such bot.
"""

import contextlib
import os
import signal
import socket
import sys
import threading


def _pump(source: socket.socket, target: socket.socket) -> None:
    """Pass on all bytes until one side closes, then close both."""
    with contextlib.suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)
    for end in (source, target):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


def _serve(caller: socket.socket, port: int) -> None:
    with caller, socket.socket() as bot:
        try:
            bot.connect(("127.0.0.1", port))
        except OSError:  # it does not listen yet; the referee will call again
            return
        bot.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        back = threading.Thread(target=_pump, args=(bot, caller), daemon=True)
        back.start()
        _pump(caller, bot)
        back.join()


def main(path: str) -> None:
    """Serve `path` until the box ends."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # that is for the bot, which may still have something to say
    port = int(os.read(0, 16) or 0)
    if not port:  # the referee ended before it knew the port
        return
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        while True:
            caller, _ = listener.accept()
            threading.Thread(target=_serve, args=(caller, port), daemon=True).start()


if __name__ == "__main__":
    main(sys.argv[1])
