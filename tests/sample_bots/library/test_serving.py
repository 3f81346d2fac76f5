"""A bot that `serve` serves, as a process: called by gRPC's own client, stopped, crowded and attacked."""

import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import grpc
import pytest
from referee_bot.hpack import encode
from referee_bot.http2 import PREFACE
from referee_bot.v1 import bot_pb2 as pb
from referee_bot.v1.bot_pb2_grpc import BotStub

from tests.needed import skip_for_lack
from tests.rogues.bots.frames import DATA, END_HEADERS, HEADERS, PING, SETTINGS, frame

pytestmark = [pytest.mark.process, pytest.mark.slow]

BOT = """
from referee_bot import serve

class Player:
    def __init__(self, start):
        pass

    def choose(self, decision):
        if decision.number == 66_666:
            raise ValueError("I cannot think")
        return decision.number % len(decision.legal)

serve(Player)
"""
ABOUT = 'name = "served"\nversion = "1"\nauthor = "the tests"\ngames = ["*"]\nrun = ["{python}", "bot.py"]\n'
TOKEN = "0123456789abcdef"  # noqa: S105 - of no bot but these
START = pb.RefereeMessage(match_start=pb.MatchStart(game="agent-avenue", seats=2, seed=bytes(16)))
OPTIONS = (
    ("grpc.default_authority", "localhost"),
    ("grpc.enable_http_proxy", 0),
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.initial_reconnect_backoff_ms", 20),
)
PATIENCE_S = 60


class Served:
    """The process of a bot."""

    def __init__(self, folder: Path, address: str, program: str, **variables: str) -> None:
        (folder / "bot.py").write_text(program)
        (folder / "bot.toml").write_text(ABOUT)
        environment = {"PATH": os.environ["PATH"], "REFEREE_ADDRESS": address, **variables}
        command = [sys.executable, "bot.py"]
        self.process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.address = address
        if address.endswith(":0"):
            assert self.process.stdout is not None
            port = self.process.stdout.readline().strip().removeprefix("REFEREE_PORT=")
            self.address = f"{address[:-1]}{port}"

    def ended(self, with_signal: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """End it. How it ended, and what it wrote to stderr."""
        self.process.send_signal(with_signal)
        _, said = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, said

    def connected(self) -> socket.socket:
        """A new connection, which says nothing."""
        if self.address.startswith("unix:"):
            link = socket.socket(socket.AF_UNIX)
            link.connect(self.address.removeprefix("unix:"))  # it waits while the queue is full
            link.settimeout(PATIENCE_S)
            return link
        host, _, port = self.address.rpartition(":")
        return socket.create_connection((host, int(port)), timeout=PATIENCE_S)

    @property
    def memory_mib(self) -> float:
        """What the process holds in memory."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


@contextlib.contextmanager
def served(folder: Path, address: str | None = None, program: str = BOT, **variables: str) -> Iterator[Served]:
    bot = Served(folder, address or f"unix:{folder / 'bot.sock'}", program, **variables)
    try:
        with calling(bot) as stub, contextlib.suppress(grpc.RpcError):  # as soon as it answers at all
            stub.Describe(pb.DescribeRequest(), wait_for_ready=True, timeout=PATIENCE_S)
        yield bot
    finally:
        bot.process.kill()
        bot.process.communicate()


@contextlib.contextmanager
def calling(bot: Served, *options: tuple[str, int]) -> Iterator[Any]:
    with grpc.insecure_channel(bot.address, options=[*OPTIONS, *options]) as channel:
        yield BotStub(channel)


def decisions(numbers: Sequence[int], view_bytes: int = 300) -> list[pb.RefereeMessage]:
    view = bytes(view_bytes)
    return [pb.RefereeMessage(decision=pb.Decision(number=n, view=view, legal=[b"a", b"b", b"c"])) for n in numbers]


def answers_right(stub: Any, count: int = 5, view_bytes: int = 300, **more: Any) -> bool:
    """Whether a match of so many decisions, all sent at once, is answered as it should be."""
    numbers = list(range(1, count + 1))
    stream = stub.Play(iter([START, *decisions(numbers, view_bytes)]), timeout=PATIENCE_S, **more)
    ready, *choices = stream
    return bool(
        ready.HasField("ready")
        and [(choice.choice.decision, choice.choice.index) for choice in choices] == [(n, n % 3) for n in numbers]
    )


def test_a_client_may_wait_for_each_answer_send_all_at_once_or_send_much(tmp_path: Path) -> None:
    with served(tmp_path) as bot, calling(bot) as stub:
        assert stub.Describe(pb.DescribeRequest(), timeout=PATIENCE_S).name == "served"
        assert answers_right(stub, 1_000)
        assert answers_right(stub, 20, view_bytes=1_000_000)
        answered = threading.Semaphore(1)

        def one_by_one() -> Iterator[pb.RefereeMessage]:
            for message in [START, *decisions(range(1, 300))]:
                assert answered.acquire(timeout=PATIENCE_S)
                yield message

        count = 0
        for _ in stub.Play(one_by_one(), timeout=PATIENCE_S):
            answered.release()
            count += 1
        assert count == 300
        assert bot.ended() == (-signal.SIGTERM, "")


def test_a_client_that_reads_late_gets_all_its_answers(tmp_path: Path) -> None:
    with served(tmp_path) as bot, calling(bot, ("grpc.http2.lookahead_bytes", 1_024)) as stub:
        stream = stub.Play(iter([START, *decisions(range(1, 4_001), view_bytes=0)]), timeout=PATIENCE_S)
        next(stream)
        time.sleep(0.5)
        assert sum(1 for _ in stream) == 4_000


def test_calls_that_are_cancelled_disturb_no_others(tmp_path: Path) -> None:
    with served(tmp_path) as bot, calling(bot) as stub:
        for _ in range(50):
            stream = stub.Play(iter([START, *decisions(range(1, 100))]), timeout=PATIENCE_S)
            next(stream)
            stream.cancel()
        assert answers_right(stub)
        assert bot.ended() == (-signal.SIGTERM, "")


def test_pings_are_answered_while_nothing_is_asked(tmp_path: Path) -> None:
    often = (("grpc.keepalive_time_ms", 100), ("grpc.keepalive_timeout_ms", 10_000))
    with served(tmp_path) as bot, calling(bot, *often, ("grpc.http2.max_pings_without_data", 0)) as stub:
        waiting = threading.Event()

        def messages() -> Iterator[pb.RefereeMessage]:
            yield START
            waiting.wait(1.5)
            yield from decisions([1])

        assert sum(1 for _ in stub.Play(messages(), timeout=PATIENCE_S)) == 2


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]"])
def test_on_a_port_it_says_which_and_serves_only_who_brings_the_token(tmp_path: Path, host: str) -> None:
    if host == "[::1]" and not Path("/proc/net/if_inet6").read_text():
        skip_for_lack("IPv6")
    with served(tmp_path, f"{host}:0", REFEREE_TOKEN=TOKEN) as bot, calling(bot) as stub:
        with pytest.raises(grpc.RpcError) as error:
            stub.Describe(pb.DescribeRequest(), timeout=PATIENCE_S)
        assert error.value.code() is grpc.StatusCode.UNAUTHENTICATED
        assert answers_right(stub, metadata=(("authorization", f"Bearer {TOKEN}"),))


def test_a_process_that_is_stopped_again_and_again_loses_nothing(tmp_path: Path) -> None:
    luck = random.Random(49)
    with served(tmp_path) as bot, calling(bot) as stub:
        over = threading.Event()

        def disturb() -> None:
            while not over.is_set():
                bot.process.send_signal(signal.SIGSTOP)
                time.sleep(luck.random() / 500)
                bot.process.send_signal(signal.SIGCONT)
                time.sleep(luck.random() / 200)

        disturbing = threading.Thread(target=disturb)
        disturbing.start()
        try:
            for view_bytes in (300, 100_000, 1_000_000):
                assert answers_right(stub, 40, view_bytes)
        finally:
            over.set()
            disturbing.join()


def test_an_error_of_the_player_is_told_and_the_process_goes_on(tmp_path: Path) -> None:
    with served(tmp_path) as bot, calling(bot) as stub:
        with pytest.raises(grpc.RpcError) as error:
            list(stub.Play(iter([START, *decisions([1, 66_666, 2])]), timeout=PATIENCE_S))
        assert error.value.code() is grpc.StatusCode.UNKNOWN
        assert error.value.details() == "ValueError: I cannot think"
        assert answers_right(stub)
        _, said = bot.ended()
        assert said.count('raise ValueError("I cannot think")') == 1


def test_strangers_who_take_all_connections_keep_nobody_out(tmp_path: Path) -> None:
    with served(tmp_path, "127.0.0.1:0", REFEREE_TOKEN=TOKEN) as bot, contextlib.ExitStack() as crowd:
        token = (("authorization", f"Bearer {TOKEN}"),)
        with calling(bot) as stub:
            stream = stub.Play(iter([START]), timeout=PATIENCE_S, metadata=token)
            next(stream)
            strangers = [crowd.enter_context(bot.connected()) for _ in range(200)]
            assert answers_right(stub, metadata=token)  # on the connection that it had before
        with calling(bot) as stub:
            assert answers_right(stub, metadata=token)
        assert strangers[0].recv(1) == b""


def test_a_client_that_does_not_read_keeps_nobody_else_waiting(tmp_path: Path) -> None:
    with served(tmp_path) as bot, bot.connected() as deaf:
        deaf.setblocking(False)
        asking = PREFACE + frame(SETTINGS) + frame(HEADERS, END_HEADERS, 1, encode(_request()))
        asking += frame(DATA, 0, 1, b"x") + frame(PING, payload=bytes(8)) * 9_000
        with contextlib.suppress(BlockingIOError):
            while True:
                asking = asking[deaf.send(asking) :] or frame(DATA, 0, 1, b"x") + frame(PING, payload=bytes(8)) * 9_000
        with calling(bot) as stub:
            assert answers_right(stub)


def test_noise_from_many_connections_is_survived_in_little_memory(tmp_path: Path) -> None:
    luck = random.Random(49)
    hello = PREFACE + frame(SETTINGS)
    begun = hello + frame(HEADERS, END_HEADERS, 1, encode(_request()))
    with served(tmp_path) as bot:
        before = bot.memory_mib
        for number in range(300):
            with bot.connected() as link, contextlib.suppress(ConnectionError):
                link.sendall((b"", PREFACE, hello, begun)[number % 4] + luck.randbytes(luck.randrange(5_000)))
        with contextlib.ExitStack() as many:
            for _ in range(10):
                link = many.enter_context(bot.connected())
                long = b"\0" + (1 << 22).to_bytes(4) + bytes(16_379)
                link.sendall(begun + frame(DATA, 0, 1, long) + frame(DATA, 0, 1, bytes(16_384)) * 20)
            with calling(bot) as stub:
                assert answers_right(stub)
            assert bot.memory_mib - before < 30
        assert bot.ended() == (-signal.SIGTERM, "")


def test_the_socket_of_an_earlier_process_is_replaced(tmp_path: Path) -> None:
    for _ in range(2):
        with served(tmp_path) as bot, calling(bot) as stub:
            assert answers_right(stub)


def test_without_an_address_it_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    done = subprocess.run([sys.executable, "bot.py"], cwd=tmp_path, capture_output=True, text=True, check=False, env={})
    assert (done.returncode, done.stderr) == (
        1,
        "where to listen? Set REFEREE_ADDRESS, or call serve() with an address\n",
    )


def test_with_an_empty_token_it_does_not_begin(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    environment = {"REFEREE_ADDRESS": f"unix:{tmp_path / 'bot'}", "REFEREE_TOKEN": ""}
    command = [sys.executable, "bot.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, env=environment)
    assert (done.returncode, done.stderr) == (
        1,
        "REFEREE_TOKEN is empty: give the bot a token, or leave the variable out\n",
    )


def _request() -> list[tuple[bytes, bytes]]:
    return [
        (b":method", b"POST"),
        (b":scheme", b"http"),
        (b":path", b"/referee_bot.v1.Bot/Play"),
        (b"content-type", b"application/grpc"),
    ]
