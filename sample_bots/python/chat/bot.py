"""Serves a language model to referees as a remote bot. `python bot.py --help` lists all arguments.

It needs the package `referee`, which has the words of the games and a server, and runs on the machine of its author or
of the organizer: a bot in a box has no network. Every request has a thread, which costs nothing while it waits.
"""

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from endpoint import Endpoint
from player import Player, Settings, TokenBudget
from referee_bot.v1 import bot_pb2 as pb

import referee
from referee.agents.attending import attend
from referee.agents.bot_server import Answer, CannotServe, serve_bot
from referee.core.errors import FileProblems


class Seat:
    """One seat: match after match, each with a new player."""

    def __init__(self, new_player: Callable[[pb.MatchStart], Player]) -> None:
        self._new_player = new_player

    async def answer(self, message: pb.RefereeMessage) -> pb.BotMessage | None:
        """The answer to a message of the referee."""
        if message.HasField("match_start"):
            try:
                self._player = self._new_player(message.match_start)
            except referee.WrongUse as error:
                return pb.BotMessage(unavailable=pb.Unavailable(note=pb.Note(text=str(error))))
            return pb.BotMessage(ready=pb.Ready())
        return await self._player.choose(message.decision) if message.HasField("decision") else None


def arguments(words: list[str]) -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(description="Serve a language model as a remote bot.")
    parser.add_argument("listen", help="where to listen: HOST:PORT; or the address of a league that the bot calls")
    parser.add_argument("endpoint", help="the address of the endpoint, such as https://HOST/v1")
    parser.add_argument("model", help="the name of the model at the endpoint, with its version")
    parser.add_argument("--name", default="chat", help="the name of the bot (chat)")
    parser.add_argument("--bot-version", default="1", help="the version of the bot (1)")
    parser.add_argument("--certificate", type=Path, help="a PEM file; with --key, the bot is served over TLS")
    parser.add_argument("--key", type=Path, help="the private key of the certificate, a PEM file")
    parser.add_argument("--token-file", type=Path, help="your token of the league that the bot calls")
    parser.add_argument("--ca", type=Path, help="a certificate (PEM) that the service of that league may have")
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
    if given.listen.startswith("http") and given.token_file is None:
        parser.error("a league asks for the token of its author; give --token-file")
    if (given.certificate is None) != (given.key is None):
        parser.error("--certificate and --key need each other")
    return given


def secret(file: Path | None, variable: str | None) -> str | None:
    """The key for the endpoint, which is never part of a text.

    Raises:
        ValueError: it cannot be sent.
        OSError: it cannot be read.
    """
    key = (file.read_text(errors="replace") if file else os.environ.get(variable or "", "")).strip()
    if not key.isascii() or not key.isprintable() or " " in key or (variable and not key):
        raise ValueError(f"{file or f'the variable {variable}'} has no key for the endpoint; set it, or leave it out")
    return key or None


async def serve(given: argparse.Namespace) -> None:
    """Serve until the process is ended.

    Raises:
        CannotServe, FileProblems, ValueError, OSError: an argument cannot be used.
    """
    temperature = {} if given.temperature is None else {"temperature": given.temperature}
    key = secret(given.secret_file, given.secret_variable)
    endpoint = Endpoint(given.endpoint, given.model, key, temperature)
    settings = Settings(max(given.tries, 1), not given.forget, given.match_tokens)
    budget = TokenBudget(given.league_tokens, given.count_in)
    threads = ThreadPoolExecutor(2 * given.parallel)  # some may still end a request whose time is over
    asyncio.get_running_loop().set_default_executor(threads)
    entry = f"{given.name}@{given.bot_version}"

    def play() -> AbstractContextManager[Answer]:
        return nullcontext(Seat(lambda start: Player(start, endpoint, settings, budget)).answer)

    if given.listen.startswith("http"):
        await attend(entry, given.listen, given.token_file, given.ca, play, given.parallel)
        return
    async with serve_bot(
        entry,
        play,
        given.listen,
        os.environ.get("REFEREE_TOKEN"),
        (given.key, given.certificate) if given.key else None,
        parallel=given.parallel,
    ) as port:
        print(f"REFEREE_PORT={port}", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it at once, without a traceback
    try:
        asyncio.run(serve(arguments(sys.argv[1:])))
    except (referee.WrongUse, CannotServe, FileProblems, ValueError, OSError) as error:
        sys.exit(str(error))
