"""Lets a program that reads and writes lines play in a league elsewhere, from behind any router.

    python attend.py mybot@1 --league https://HOST/leagues/LEAGUE --token-file token -- node bot.js

It calls the service of the league by a WebSocket. Each message goes to the program's standard input, and each line of
its standard output goes back. Nothing is needed but Python 3.8 or newer. Ctrl-C ends it.
"""

import argparse
import base64
import hashlib
import json
import os
import random
import secrets
import select
import socket
import ssl
import struct
import subprocess
import sys
import threading
import time
from urllib.parse import quote, urlsplit

LEAGUE = ""  # the page of a league offers this file with its address here
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
NOT_NOW = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)
FOR_GOOD = {401, 403, 404, 4401, 4409, 4410}  # calling again would not help
NEW_PROGRAM = {1000, 4400, 4408}  # its match is over, whatever it thinks
SILENCE_S = 60  # the service says something every 20 seconds
LONGEST = 4 << 20


class Closed(Exception):
    """The connection is no more. `code` is that of a WebSocket, or the status of a refusal."""

    def __init__(self, code, why, wait_s=0.0):
        super().__init__(why)
        self.code, self.wait_s = code, wait_s


class WebSocket:
    """The client's side of RFC 6455, as far as it is needed here. `receive` is for one thread, `send` for any."""

    def __init__(self, url, headers, ca):
        at = urlsplit(url)
        secure = at.scheme == "https"
        line = socket.create_connection((at.hostname, at.port or (443 if secure else 80)), timeout=20)
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if secure:
            line = ssl.create_default_context(cafile=ca).wrap_socket(line, server_hostname=at.hostname)
        self.line, self.lock, self.unread = line, threading.Lock(), b""
        key = base64.b64encode(os.urandom(16)).decode()
        headers = dict(headers, Host=at.netloc, Upgrade="websocket", Connection="Upgrade")
        headers.update({"Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13"})
        words = "".join("%s: %s\r\n" % each for each in headers.items())
        line.sendall(("GET %s HTTP/1.1\r\n%s\r\n" % (at.path, words)).encode())
        line.setblocking(False)
        while b"\r\n\r\n" not in self.unread and len(self.unread) < 1 << 16:
            self.unread += self._more()
        head, _, self.unread = self.unread.partition(b"\r\n\r\n")
        status, *fields = head.decode(errors="replace").split("\r\n")
        found = {name.lower(): text.strip() for name, _, text in (field.partition(":") for field in fields)}
        if status.split()[1:2] != ["101"]:
            raise self._refusal(status, found)
        wanted = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
        if found.get("sec-websocket-accept") != base64.b64encode(wanted).decode():
            raise Closed(1006, "what answers there is no WebSocket")

    def _refusal(self, status, found):
        code = int((status.split() + ["", "0"])[1]) if status[:5] == "HTTP/" else 0
        why = "the answer was %r; does a proxy between pass on WebSockets?" % status
        try:
            size = min(int(found.get("content-length", 0)), 1 << 16)
            while len(self.unread) < size:
                self.unread += self._more()
            why = json.loads(self.unread.decode())["detail"]
        except (ValueError, KeyError, TypeError, Closed):
            code = 0 if code in FOR_GOOD else code  # somebody else has answered, perhaps not for long
        wait = found.get("retry-after", "0")
        return Closed(code, why, float(wait) if wait.isdigit() else 0.0)

    def receive(self):
        """The next message."""
        whole = b""
        while True:
            first, size = self._read(2)
            size &= 127
            if size > 125:
                size = struct.unpack("!H" if size == 126 else "!Q", self._read(2 if size == 126 else 8))[0]
            if size + len(whole) > LONGEST:
                raise Closed(1009, "a message is too long")
            content, kind = self._read(size), first & 15
            if kind == PING:
                self.send(content, PONG)
            elif kind == CLOSE:
                code = struct.unpack("!H", content[:2])[0] if len(content) > 1 else 1005
                raise Closed(code, content[2:].decode(errors="replace") or "the service has ended the connection")
            elif kind < CLOSE:
                whole += content
                if first & 128:
                    return whole

    def send(self, content, kind=TEXT):
        """Send a frame."""
        size, mask = len(content), os.urandom(4)
        long = struct.pack("!H", size) if size < 65536 else struct.pack("!Q", size)
        head = bytes([128 | kind, 128 | (size if size < 126 else 126 if size < 65536 else 127)])
        key = int.from_bytes((mask * (size // 4 + 1))[:size], "big")
        masked = (int.from_bytes(content, "big") ^ key).to_bytes(size, "big")
        left = head + (long if size > 125 else b"") + mask + masked
        until = time.monotonic() + SILENCE_S
        while left:
            with self.lock:  # two threads must not use one TLS connection at once
                try:
                    left = left[self.line.send(left) :]
                    continue
                except NOT_NOW:
                    pass
            if time.monotonic() > until:
                raise OSError("the service takes nothing")
            select.select([], [self.line], [], 0.5)

    def close(self, code=1000):
        """Say goodbye, and end the connection."""
        try:
            self.send(struct.pack("!H", code), CLOSE)
        except (OSError, ValueError):
            pass
        self.line.close()

    def _read(self, size):
        while len(self.unread) < size:
            self.unread += self._more()
        found, self.unread = self.unread[:size], self.unread[size:]
        return found

    def _more(self):
        until = time.monotonic() + SILENCE_S
        while time.monotonic() < until:
            with self.lock:
                try:
                    found = self.line.recv(1 << 16)
                    if found:
                        return found
                    break
                except NOT_NOW:
                    pass
            select.select([self.line], [], [], 5)
        raise Closed(1006, "the connection was lost")


class Seat:
    """One seat: a program, and the connection that it has now. A match outlives a connection."""

    def __init__(self, connect, command, name):
        self.connect, self.command, self.name = connect, command, name
        self.lock = threading.Lock()
        self.line = self.program = None
        self.begin()

    def begin(self):
        """Begin anew, with another program."""
        with self.lock:
            program, self.program = self.program, None
            self.session, self.received, self.sent, self.last, self.plays = secrets.token_hex(16), 0, 0, b"", False
        if program is not None:
            program.kill()

    def say(self, text):
        """Tell the author."""
        print("%s %s: %s" % (time.strftime("%H:%M:%S"), self.name, text), file=sys.stderr, flush=True)

    def attend(self):
        """Call the service, again and again, until that does not help. Returns the exit code."""
        wait_s = 0.1
        while True:
            since = time.monotonic()
            try:
                self.attend_once()
            except Closed as closed:
                end, code = closed, closed.code
            except (OSError, ValueError) as error:
                end, code = Closed(0, "the service cannot be reached: %s" % error), 0
            line, self.line = self.line, None
            if line is not None:
                line.close()
            if code in FOR_GOOD:
                self.say("%s. This is the end." % end)
                return 0 if code == 4410 else 2
            if code in NEW_PROGRAM or not self.plays:
                self.begin() if code in NEW_PROGRAM else None
            wait_s = 0.1 if time.monotonic() - since > 30 else min(2 * wait_s, 30)
            pause_s = max(end.wait_s, wait_s * random.uniform(0.5, 1))
            self.say("%s. I call again in %.1f s." % (end, pause_s))
            time.sleep(pause_s)

    def attend_once(self):
        """Play until the connection ends."""
        with self.lock:
            if not self.plays:  # nothing is open, so nothing can be lost
                self.session, self.received, self.sent = secrets.token_hex(16), 0, 0
            session, sent, last = "%s %d %d" % (self.session, self.received, self.sent), self.sent, self.last
        line = self.connect(session)
        with self.lock:
            for repeated in ([last] if sent else []) + ([self.last] if self.sent > sent else []):
                line.send(repeated)
            self.line = line
        self.say("here, and back in the match" if self.plays else "here; a match begins when the league needs it")
        while True:
            message = line.receive()
            with self.lock:
                self.received += 1
                self.plays = not message.startswith(b'{"type":"end"')
                if self.program is None or self.program.poll() is not None:
                    self.program = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
                    threading.Thread(target=self.pass_on, args=(self.program,), daemon=True).start()
                program = self.program
            try:
                program.stdin.write(message + b"\n")
                program.stdin.flush()
            except OSError:
                pass  # it has ended, as its other thread says

    def pass_on(self, program):
        """Pass on what the program writes, until it ends."""
        for answer in program.stdout:
            with self.lock:
                if program is self.program:
                    self.sent, self.last = self.sent + 1, answer.rstrip(b"\r\n")
                    try:
                        self.line.send(self.last)
                    except (AttributeError, OSError, ValueError):
                        pass  # there is no connection now; the next one begins with this answer
        code, line = program.wait(), self.line
        if program is self.program:
            self.say("the program ended with code %d; the next match starts it again" % code)
            self.plays = False
            if line is not None:
                line.close()


def main():
    """Attend."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("bot", help="name@version, as in the league file")
    asked.add_argument("--league", default=LEAGUE, help="the address of the league: https://HOST/leagues/LEAGUE")
    asked.add_argument("--token-file", required=True, help="a file with your token")
    asked.add_argument("--seats", type=int, default=1, help="how many matches to play at once (1)")
    asked.add_argument("--ca", help="a certificate (PEM) to trust, if the service has one of its own")
    asked.add_argument("--plain-http", action="store_true", help="send the token in the clear, to another machine")
    at = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    given, command = asked.parse_args(sys.argv[1:at]), sys.argv[at + 1 :]
    if not command:
        asked.error("after -- comes the command that starts your program")
    league = urlsplit(given.league)
    if league.scheme not in ("http", "https") or not league.hostname:
        asked.error("--league is the address of the league, such as https://HOST/leagues/LEAGUE")
    if league.scheme == "http" and league.hostname not in ("127.0.0.1", "localhost", "::1") and not given.plain_http:
        asked.error("the token would be sent in the clear; the address must begin with https")
    with open(given.token_file) as file:
        token = file.read().strip()
    url = "%s/api/seats/%s" % (given.league.rstrip("/"), quote(given.bot))

    def connect(session):
        return WebSocket(url, {"Authorization": "Bearer " + token, "Referee-Session": session}, given.ca)

    codes = []
    names = [given.bot + (" (%d)" % (each + 1) if given.seats > 1 else "") for each in range(given.seats)]
    seats = [Seat(connect, command, name) for name in names]
    threads = [threading.Thread(target=lambda seat=seat: codes.append(seat.attend()), daemon=True) for seat in seats]
    for thread in threads:
        thread.start()
    try:
        while any(thread.is_alive() for thread in threads):
            time.sleep(0.2)
    except KeyboardInterrupt:
        print("ended", file=sys.stderr)
    for seat in seats:
        if seat.line is not None:
            seat.line.close()
        seat.begin()
    sys.exit(max(codes, default=0))


if __name__ == "__main__":
    main()
