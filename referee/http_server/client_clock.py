"""How long a client keeps the server waiting. Pure: the caller passes the time.

What the server waits for must happen fast enough. Time counts while the client owes bytes: those of a handshake, of a
request's header, of its body, or of the next request on the same connection. It also counts while the client does not
take the bytes of an answer. It does not count while the server does not read. So neither slowness holds a connection,
and a large body or answer over a slow line does not look like an attack.
"""

import math

import msgspec


class ClientTimeouts(msgspec.Struct, frozen=True):
    """The limits of clients.

    Attributes:
        header_s: how long each header may take, in seconds; also a TLS handshake, the answer to a ping, and how late a
            body or the taking of an answer may be.
        body_bytes_a_s: the minimum speed of a body, on the average since its request began.
        answer_bytes_a_s: the minimum speed at which a client takes an answer, on the average.
        connections: how many there may be at once.
        connections_each: how many of them one network may have.
        ping_s: after how much silence a WebSocket must answer a ping, in seconds.
        message_bytes: the limit of a message to a WebSocket.
        end_s: how long unfinished answers may take when the server ends, in seconds.
    """

    header_s: float = 10.0
    body_bytes_a_s: float = 64 << 10
    answer_bytes_a_s: float = 4 << 10
    connections: int = 512
    connections_each: int = 128
    ping_s: float = 20.0
    message_bytes: int = 1 << 20
    end_s: float = 5.0

    @property
    def look_s(self) -> float:
        """The interval of the checks, in seconds."""
        return min(1.0, self.header_s / 10)

    def body_late_s(self, waited_s: float, body_bytes: int) -> float:
        """How late a body is, after waiting so long and so many bytes of it."""
        return waited_s - body_bytes / self.body_bytes_a_s

    def answer_late_s(self, waited_s: float, taken_bytes: int) -> float:
        """How late an answer is, after waiting so long and so many bytes that the client took."""
        return waited_s - taken_bytes / self.answer_bytes_a_s


class ClientClock:
    """The time that one client takes."""

    def __init__(self, timeouts: ClientTimeouts, now_s: float) -> None:
        """Begin to wait for the first bytes."""
        self._timeouts = timeouts
        self._waited_s = self._unsent_s = 0.0
        self._body_bytes = self._unsent_bytes = self._taken_bytes = 0
        self._looked_s = now_s

    def wait_anew(self, now_s: float, waited_s: float = 0.0) -> None:
        """Wait for something else from now on, as if the server had waited so long for it."""
        self._waited_s, self._body_bytes, self._looked_s = waited_s, 0, now_s

    def receive_body(self, size: int) -> None:
        """So many bytes of a body came, and earn time."""
        self._body_bytes += size

    def send_anew(self) -> None:
        """The client has taken most of what was written. More of an answer may follow, with its own time."""
        self._unsent_s = self._taken_bytes = self._unsent_bytes = 0

    def look(self, now_s: float, unsent_bytes: int, *, owes: bool) -> None:
        """Note the time since the last look, with so many bytes that the client has not taken yet."""
        passed_s, self._looked_s = now_s - self._looked_s, now_s
        if unsent_bytes:
            self._unsent_s += passed_s
            self._taken_bytes += max(0, self._unsent_bytes - unsent_bytes)
        else:
            self._unsent_s = self._taken_bytes = 0
            if owes:
                self._waited_s += passed_s
        self._unsent_bytes = unsent_bytes

    def late_s(self, now_s: float, *, owes: bool) -> float:
        """How long the server has waited in vain, in seconds. Negative: the client owes nothing."""
        since_s = now_s - self._looked_s
        if self._unsent_bytes:
            return self._timeouts.answer_late_s(self._unsent_s + since_s, self._taken_bytes)
        if owes:
            return self._timeouts.body_late_s(self._waited_s + since_s, self._body_bytes)
        return -math.inf
