"""`referee seat`: a seat for an agent, which a league calls as a remote bot."""

import asyncio
import secrets
import socket
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Annotated

import typer
import uvloop

from referee.cli.console import remark, say
from referee.core.errors import FileProblems, Stopped, WrongUse
from referee.files.addresses import LOOPBACK
from referee.files.manifest import plain_name, plain_version
from referee.files.secret_files import read_token


def seat(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the bot, as in the league file.")],
    mcp: Annotated[
        bool, typer.Option("--mcp", help="Offer the seat as tools over MCP (Model Context Protocol).")
    ] = False,
    stdio: Annotated[
        bool, typer.Option("--stdio", help="Pass the tools of a served seat on to stdin and stdout.")
    ] = False,
    folder: Annotated[Path | None, typer.Option(metavar="FOLDER", help="For the tokens. Default: NAME.seat.")] = None,
    version: Annotated[str, typer.Option(help="The version of the bot, as in the league file.")] = "1",
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="The address at which the league calls.")] = LOOPBACK[0],
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port for the league. 0 means any free port.")
    ] = 50051,
    certificate: Annotated[Path | None, typer.Option(metavar="FILE", help="For TLS with the league (PEM).")] = None,
    key: Annotated[Path | None, typer.Option(metavar="FILE", help="The key of the certificate (PEM).")] = None,
    league: Annotated[
        str | None, typer.Option(metavar="URL", help="Call this league instead, by its address on the service.")
    ] = None,
    token_file: Annotated[Path | None, typer.Option(metavar="FILE", help="Your token of that league.")] = None,
    ca: Annotated[Path | None, typer.Option(metavar="FILE", help="A certificate that the service may have.")] = None,
    agent_port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port of 127.0.0.1 for the agent. 0 means any free port.")
    ] = 8765,
    wait: Annotated[
        float, typer.Option(metavar="SECONDS", min=1, max=3_600, help="How long the tool `wait` takes at most.")
    ] = 25,
) -> None:
    """Offer a seat to an agent. A league calls it as a remote bot, until you stop the command."""
    if not mcp:
        raise WrongUse("say how the agent gets the seat: --mcp")
    try:
        entry = f"{plain_name(name)}@{plain_version(version)}"
    except ValueError as error:
        raise WrongUse(str(error)) from error
    if league and token_file is None:
        raise WrongUse("a league asks for the token of its author; give --token-file")
    pair = (key, certificate) if key and certificate else None
    if pair is None and (certificate or key or host not in LOOPBACK):
        raise WrongUse(f"{host}: the token would be sent in the clear; give --certificate and --key")
    try:
        from referee.agents.tools import pass_on  # noqa: PLC0415 - what it needs may not be installed
    except ModuleNotFoundError as error:
        raise WrongUse("a seat for an agent needs more packages: pip install 'referee[mcp]'") from error
    place = (folder or Path(f"{name}.seat")).resolve()
    try:
        if stdio:
            uvloop.run(pass_on(agent_port, _token(place / "agent.token")))
        else:
            call = (league, token_file, ca) if league and token_file else None
            uvloop.run(_serve(entry, place, f"{host}:{port}", pair, call, agent_port, wait))
    except Stopped:  # that is how it is meant to end
        remark("stopped")


async def _serve(
    entry: str,
    folder: Path,
    address: str,
    pair: tuple[Path, Path] | None,
    call: tuple[str, Path, Path | None] | None,
    agent_port: int,
    wait_s: float,
) -> None:
    """Serve the agent, and serve the league or call it, until the league is over or refuses the bot."""
    from referee.agents.agent_seat import AgentSeat  # noqa: PLC0415 - only here, as above
    from referee.agents.attending import attend  # noqa: PLC0415
    from referee.agents.bot_server import CannotServe, serve_bot  # noqa: PLC0415
    from referee.agents.tools import HOST, PATH, serve_tools  # noqa: PLC0415

    seat, league, agent = AgentSeat(wait_s), folder / "league.token", folder / "agent.token"
    name, version = entry.split("@")
    token = _token(agent)
    try:
        listening = socket.create_server((HOST, agent_port))
    except OSError as error:
        raise CannotServe(f"{HOST}:{agent_port}: cannot listen there; choose another --agent-port") from error
    async with AsyncExitStack() as stack:
        stack.enter_context(listening)
        if call is None:
            port = await stack.enter_async_context(serve_bot(entry, seat.stream, address, _token(league), pair))
            scheme, host = "grpc" if pair is None else "grpcs", address.rpartition(":")[0]
            say(f"""In the league file:

[[bots]]
address = "{scheme}://{host}:{port}"
name = "{name}"
version = "{version}"
token_file = "{league}"
""")
        agent_port = listening.getsockname()[1]
        url = f"http://{HOST}:{agent_port}{PATH}"
        say(f"""For the agent, over HTTP: {url} with the header `Authorization: Bearer TOKEN`.
TOKEN is the text in {agent}. Over stdio, the agent starts this command:

referee seat {name} --mcp --stdio --folder {folder} --agent-port {agent_port}
""")
        works: list[asyncio.Future[object]] = [asyncio.ensure_future(serve_tools(seat, token, listening))]
        if call is not None:
            works.append(asyncio.ensure_future(attend(entry, *call, seat.stream)))
        over, others = await asyncio.wait(works, return_when=asyncio.FIRST_COMPLETED)
        for each in others:
            each.cancel()
        await asyncio.gather(*over)  # raises what ended it


def _token(path: Path) -> str:
    """The token in a file, which is made at its first use. Only its owner can read it."""
    try:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        if not path.exists():
            path.touch(mode=0o600)
            path.write_text(secrets.token_hex(16))
    except OSError as error:
        raise FileProblems([f"{path}: cannot be written: {error.strerror}"]) from error
    return read_token(path)
