"""Lets a program that reads and writes lines play in a league elsewhere, from behind any router.

    python attend.py mybot@1 --league https://HOST/leagues/LEAGUE --token-file token -- node bot.js
Messages go to its standard input, and its lines back. It needs Python 3.8 or newer, and no package. Ctrl-C ends it.
"""

import argparse
import base64
import contextlib
import json
import os
import random
import select
import shutil
import ssl
import subprocess
import sys
import time
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from threading import Event, Lock, Thread

LEAGUE = ""  # the page of a league offers this file with its address here
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
NOT_NOW = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)
FOR_GOOD = {401, 403, 404, 410, 4401, 4409, 4410}  # calling again would not help
MATCH_IS_OVER = {1000, 4400, 4408}  # whatever the program thinks
SILENCE_S = 60  # the service says something every 20 seconds


class Closed(Exception):
    """The connection is no more: the code of a WebSocket or the status of a refusal, why, and how long to wait."""


class WebSocket:
    """The client's side of RFC 6455. `receive` is for one thread, `send` for any."""

    def __init__(self, url, headers, tls):
        proto, _, host, path = url.split("/", 3)
        call = HTTPSConnection(host, timeout=20, context=tls) if proto == "https:" else HTTPConnection(host, timeout=20)
        key = {"Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(), "Sec-WebSocket-Version": "13"}
        call.request("GET", f"/{path}", headers={**headers, **key, "Upgrade": "websocket", "Connection": "Upgrade"})
        reply = call.getresponse()
        if reply.status != 101:
            why = 0, f"the answer has status {reply.status}; a proxy may pass on no WebSockets", 0
            with contextlib.suppress(ValueError, KeyError, TypeError):  # then it is not the service that has answered
                why = reply.status, json.loads(reply.read(1 << 16))["detail"], float(reply.headers["Retry-After"] or 0)
            raise Closed(*why)
        self.line, self.lock, self.unread = call.sock, Lock(), b""
        self.line.setblocking(False)
        with contextlib.suppress(*NOT_NOW):
            self.unread = reply.fp.peek()  # what came with the answer

    def receive(self):
        """The next message."""
        whole = b""
        while True:
            first, size = self._read(2)
            size = size if size < 126 else int.from_bytes(self._read(2 if size == 126 else 8), "big")
            if size + len(whole) > 4 << 20:
                raise Closed(1009, "a message is too long", 0)
            content, kind = self._read(size), first & 15
            whole += content if kind < CLOSE else b""
            if kind == PING:
                self.send(content, PONG)
            elif kind == CLOSE:
                raise Closed(int.from_bytes(content[:2], "big"), content[2:].decode() or "the connection has ended", 0)
            elif kind < CLOSE and first & 128:
                return whole

    def send(self, content, kind=TEXT):
        """Send a frame."""
        size, mask = len(content), os.urandom(4)
        long = size.to_bytes(2 if size < 65536 else 8, "big") if size > 125 else b""
        key = int.from_bytes((mask * (size // 4 + 1))[:size], "big")
        masked = (int.from_bytes(content, "big") ^ key).to_bytes(size, "big")
        left = bytes([128 | kind, 128 | {0: size, 2: 126, 8: 127}[len(long)]]) + long + mask + masked
        with self.lock:  # two threads must not use one TLS connection at once
            while left:
                try:
                    left = left[self.line.send(left) :]
                except NOT_NOW:
                    if not select.select([], [self.line], [], SILENCE_S)[1]:
                        raise OSError("the service takes nothing") from None

    def _read(self, size):
        while len(self.unread) < size:
            try:
                with self.lock:
                    found = self.line.recv(1 << 16)
                self.unread += found
            except NOT_NOW:
                found = select.select([self.line], [], [], SILENCE_S)[0]
            if not found:
                raise Closed(1006, "the connection was lost", 0)
        found, self.unread = self.unread[:size], self.unread[size:]
        return found


class Seat:
    """One seat: a program, and the connection that it has now. A match outlives a connection."""

    def __init__(self, league, bot, token_file, ca, start, number=0):
        self.name, self.url = f"{bot} ({number + 1})", f"{'/'.join(league.split('/')[:5])}/api/seats/{bot}"
        [self.token], self.tls = Path(token_file).read_text().split(), ssl.create_default_context(cafile=ca)
        self.start, self.lock, self.over = start, Lock(), Event()
        self.line = self.program = self.plays = None
        self.begin()

    def begin(self, kills=False):
        """Begin anew, with another program if this one is in a match."""
        with self.lock:
            self.session, self.received, self.sent, self.last = os.urandom(16).hex(), 0, 0, b""
            if self.program and (kills or self.plays):
                self.program = self.program.kill()  # None
            self.plays = False

    def _say(self, text):
        if not self.over.is_set():
            print(f"{time.strftime('%H:%M:%S')} {self.name}: {text}", file=sys.stderr, flush=True)

    def attend(self, wait_s=0.1):
        """Call the service, again and again, until that does not help. Returns the exit code."""
        while not self.over.is_set():
            code, why, later_s, since = 0, "", 0, time.monotonic()
            try:
                self.attend_once()
            except (Closed, OSError, ValueError, HTTPException) as error:
                hint = "; --ca FILE trusts a certificate" if isinstance(error, ssl.SSLCertVerificationError) else ""
                code, why, later_s = error.args if isinstance(error, Closed) else (0, f"that failed: {error}{hint}", 0)
            line, self.line = self.line, None
            if line:
                line.line.close()
            wait_s = 0.1 if time.monotonic() - since > 30 or (line and self.plays) else min(2 * wait_s, 30)
            if code in FOR_GOOD:
                self._say(f"{why}. This is the end.")
                return 0 if code in {410, 4410} else 2
            if code in MATCH_IS_OVER:
                self.begin(kills=code == 4400)
            pause_s = max(later_s, wait_s * random.uniform(0.5, 1))
            self._say(f"{why}. I call again in {pause_s:.1f} s.")
            self.over.wait(pause_s)
        return 0

    def goodbye(self):
        """Say that the match is over for us. The service answers, and `receive` hears it."""
        with contextlib.suppress(AttributeError, OSError, ValueError):  # there is no connection
            self.line.send((1000).to_bytes(2, "big"), CLOSE)

    def leave(self):
        """Leave the league: `attend` ends, whether it plays, waits, or calls just now."""
        self.over.set()
        self.goodbye()
        self.begin(kills=True)

    def attend_once(self):
        """Play until the connection ends."""
        with self.lock:
            sent, last, session = self.sent, self.last, f"{self.session} {self.received} {self.sent}"
        line = WebSocket(self.url, {"Authorization": f"Bearer {self.token}", "Referee-Session": session}, self.tls)
        with self.lock:
            for repeated in [last] * (sent > 0) + [self.last] * (self.sent > sent):
                line.send(repeated)
            self.line = line
        self._say("here, and back in the match" if self.plays else "here; a match begins when the league needs it")
        while not self.over.is_set():
            message = line.receive()
            with self.lock:
                self.received += 1
                self.plays = not message.startswith(b'{"type":"end"')
                if self.program is None or self.program.poll() is not None:
                    self.program = self.start()
                    Thread(target=self.pass_on, args=(self.program,), daemon=True).start()
            with contextlib.suppress(OSError, ValueError):  # it has ended, as its other thread says
                self.program.stdin.write(message + b"\n")
                self.program.stdin.flush()

    def pass_on(self, program):
        """Pass on what the program writes, until it ends."""
        for answer in program.stdout:
            with self.lock:
                if program is self.program:
                    self.sent, self.last = self.sent + 1, answer.rstrip(b"\r\n")
                    with contextlib.suppress(AttributeError, OSError, ValueError):  # the next connection begins with it
                        self.line.send(self.last)
        if program is self.program:
            self._say(f"the program ended with code {program.wait()}; the next match starts it again")
            self.goodbye()


def _main():
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("bot", help="name@version, as in the league file")
    asked.add_argument("--league", default=LEAGUE, help="the address of the league: https://HOST/leagues/LEAGUE")
    asked.add_argument("--token-file", required=True, help="a file with your token")
    asked.add_argument("--seats", type=int, default=1, help="how many matches to play at once (1)")
    asked.add_argument("--ca", help="a certificate (PEM) to trust, if the service has one of its own")
    asked.add_argument("command", nargs="+", help="after --: the command that starts your program")
    given = asked.parse_args()
    if not given.league.startswith(("https://", "http://127.0.0.1:", "http://localhost:")):
        asked.error("--league is the address of the league: https://HOST/leagues/LEAGUE; http only on this machine")
    start, codes = lambda: subprocess.Popen(given.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE), []
    try:
        Path(shutil.which(given.command[0]) or given.command[0]).stat()
        seats = [Seat(given.league, given.bot, given.token_file, given.ca, start, n) for n in range(given.seats)]
    except (OSError, ValueError) as error:
        asked.error(f"see the program, the token (one word in its file) and the certificate: {error}")
    for seat in seats:
        Thread(target=lambda seat=seat: codes.append(seat.attend()), daemon=True).start()
    with contextlib.suppress(KeyboardInterrupt):
        while len(codes) < len(seats):
            time.sleep(0.2)
    for seat in seats:
        seat.leave()
    sys.exit(max(codes, default=0))


if __name__ == "__main__":
    _main()
