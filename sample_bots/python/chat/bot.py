"""Serves a language model to referees as a remote bot. `python bot.py --help` lists all arguments.

It needs the package `referee`, which has the words of the games, and runs on the machine of its author or of the
organizer: a bot in a box has no network. Every stream has a thread: a thread that waits for a model costs nothing.
"""

import argparse
import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
from endpoint import Endpoint
from player import Player, Settings, TokenBudget
from referee_bot.v1 import bot_pb2 as pb
from referee_bot.v1.bot_pb2_grpc import BotServicer, add_BotServicer_to_server

import referee

PROTOCOL_MINOR = 3


class Bot(BotServicer):
    """All seats of the bot."""

    def __init__(
        self, about: pb.DescribeResponse, token: str | None, player: Callable[[pb.MatchStart], Player]
    ) -> None:
        self._about, self._token, self._player = about, token, player

    def Describe(self, _request: pb.DescribeRequest, context: Any) -> pb.DescribeResponse:  # noqa: N802 - gRPC's spelling
        """The bot's name and version."""
        self._refuse_strangers(context)
        return self._about

    def Play(self, requests: Iterator[pb.RefereeMessage], context: Any) -> Iterator[pb.BotMessage]:  # noqa: N802 - gRPC's spelling
        """One seat: match after match, each with a new player, until the referee closes the stream."""
        self._refuse_strangers(context)
        for message in requests:
            body = message.WhichOneof("body")
            if body == "match_start":
                try:
                    player = self._player(message.match_start)
                except referee.WrongUse as error:
                    yield pb.BotMessage(unavailable=pb.Unavailable(note=pb.Note(text=str(error))))
                else:
                    yield pb.BotMessage(ready=pb.Ready())
            elif body == "decision":
                yield player.choose(message.decision)

    def _refuse_strangers(self, context: Any) -> None:
        if self._token and ("authorization", f"Bearer {self._token}") not in context.invocation_metadata():
            context.abort(grpc.StatusCode.UNAUTHENTICATED, "the token is missing or wrong")


def arguments(words: list[str]) -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(description="Serve a language model as a remote bot.")
    parser.add_argument("listen", help="where to listen: HOST:PORT")
    parser.add_argument("endpoint", help="the address of the endpoint, such as https://HOST/v1")
    parser.add_argument("model", help="the name of the model at the endpoint, with its version")
    parser.add_argument("--name", default="chat", help="the name of the bot (chat)")
    parser.add_argument("--bot-version", default="1", help="the version of the bot (1)")
    parser.add_argument("--certificate", type=Path, help="a PEM file; with --key, the bot is served over TLS")
    parser.add_argument("--key", type=Path, help="the private key of the certificate, a PEM file")
    parser.add_argument("--parallel", type=int, default=16, help="how many seats it holds at once (16)")
    parser.add_argument("--secret-file", type=Path, help="a file with the key for the endpoint")
    parser.add_argument("--secret-variable", help="the variable with the key for the endpoint, if there is no file")
    parser.add_argument("--temperature", type=float, help="the temperature of the model; without it, the endpoint's")
    parser.add_argument("--forget", action="store_true", help="do not show the model its earlier decisions")
    parser.add_argument("--tries", type=int, default=3, help="answers for a decision, until one is an action (3)")
    parser.add_argument("--match-tokens", type=int, default=0, help="the most tokens of a match at one seat")
    parser.add_argument("--league-tokens", type=int, default=0, help="the most tokens of all matches together")
    parser.add_argument("--count-in", type=Path, help="a file that counts the tokens of all matches and runs")
    given = parser.parse_args(words)
    if (given.certificate is None) != (given.key is None):
        parser.error("--certificate and --key need each other")
    return given


def secret(given: argparse.Namespace) -> str | None:
    """The key for the endpoint. It is never part of a text.

    Raises:
        SystemExit: it cannot be read, or cannot be sent.
    """
    try:
        key = given.secret_file.read_text() if given.secret_file else os.environ.get(given.secret_variable or "", "")
    except (OSError, ValueError) as error:
        sys.exit(f"{given.secret_file}: cannot be read ({type(error).__name__})")
    if given.secret_variable and not given.secret_file and not key:
        sys.exit(f"the variable {given.secret_variable} has no key for the endpoint; set it, or leave it out")
    key = key.strip()
    if not key.isascii() or not key.isprintable() or " " in key:
        sys.exit("the key for the endpoint has characters that no key has; look at its file or variable")
    return key or None


def main(words: list[str]) -> None:
    """Serve until the process is ended."""
    given = arguments(words)
    temperature = {} if given.temperature is None else {"temperature": given.temperature}
    try:
        endpoint = Endpoint(given.endpoint, given.model, secret(given), temperature)
    except ValueError as error:
        sys.exit(str(error))
    settings = Settings(max(given.tries, 1), not given.forget, given.match_tokens)
    try:
        budget = TokenBudget(given.league_tokens, given.count_in)
    except (OSError, ValueError):
        sys.exit(f"{given.count_in}: has no count of tokens; write a number into it, or remove it")
    about = pb.DescribeResponse(
        name=given.name,
        version=given.bot_version,
        games=["*"],
        protocol_minor=PROTOCOL_MINOR,
        max_parallel=given.parallel,
    )
    bot = Bot(about, os.environ.get("REFEREE_TOKEN"), lambda start: Player(start, endpoint, settings, budget))
    threads = ThreadPoolExecutor(given.parallel + 4)  # the others are for Describe
    server = grpc.server(threads, options=[("grpc.so_reuseport", 0)])  # no second bot takes the same port
    add_BotServicer_to_server(bot, server)
    try:
        if given.key:
            pair = (given.key.read_bytes(), given.certificate.read_bytes())
            port = server.add_secure_port(given.listen, grpc.ssl_server_credentials([pair]))
        else:
            port = server.add_insecure_port(given.listen)
    except (OSError, RuntimeError) as error:
        sys.exit(f"{given.listen}: cannot be served: {error}")
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it at once, without a traceback
    server.start()
    print(f"REFEREE_PORT={port}", flush=True)
    server.wait_for_termination()


if __name__ == "__main__":
    main(sys.argv[1:])
