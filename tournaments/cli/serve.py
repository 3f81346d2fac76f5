"""`referee serve`: leagues over HTTP. Bots come in, and results go out."""

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.console import fail, remark
from referee.core.errors import Exit, Stopped, WrongUse
from tournaments.cli.arguments import Files
from tournaments.play.environment import LocalEnvironment
from tournaments.results.league_location import past_leagues

_LOCAL = "127.0.0.1"


class ServerNotInstalled(WrongUse):
    """The packages that serve are not installed."""

    def __str__(self) -> str:
        return f"serving leagues needs some packages; install them with: pip install 'referee[{self.args[0]}]'"


class WrongStore(WrongUse):
    """One store is named for several leagues."""


def serve(
    files: Files,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="The address of this machine to listen at.")] = _LOCAL,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port. 0 means any free port.")] = 8080,
    certificate: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The certificate for TLS and those that signed it (PEM).")
    ] = None,
    key: Annotated[Path | None, typer.Option(metavar="FILE", help="Its key. Default: in the same file.")] = None,
    plain_http: Annotated[
        bool, typer.Option("--plain-http", help="Speak plain HTTP with other machines, which is unsafe.")
    ] = False,
    proxy: Annotated[
        str, typer.Option(metavar="ADDRESSES", help="Proxies whose X-Forwarded-For counts, separated by commas.")
    ] = "",
    metrics: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Where Prometheus may ask: HOST:PORT. Default: nowhere.")
    ] = None,
    run: Annotated[bool, typer.Option("--run", help="Also play the leagues, each when it is due.")] = False,
    store: Annotated[
        str | None,
        typer.Option("--store", metavar="URL", help="The store of the results, if you serve one league only."),
    ] = None,
) -> None:
    """Serve leagues over HTTP until you stop the command. A run may play them meanwhile, also the one of --run."""
    try:
        from tournaments.web.service.serve import serve as serve_leagues  # noqa: PLC0415 - what it needs may not be installed
        from tournaments.web.service.server import Certificate, ServerAddress  # noqa: PLC0415
        from tournaments.web.service.worker_messages import ServedLeague  # noqa: PLC0415

        if metrics is not None:
            import prometheus_client  # noqa: F401, PLC0415
    except ImportError as error:
        raise ServerNotInstalled("service" if metrics is None else "service,metrics") from error
    if store is not None and len(files) > 1:
        raise WrongStore("--store is for one league; write the store of each into its file (store)")
    counting = None if metrics is None else ServerAddress(*_host_and_port(metrics), in_the_clear=True)
    served = [ServedLeague(str(each), *found) for file in files for each, found in past_leagues(file, store)]
    tls = None if certificate is None else Certificate(certificate, key)
    place = ServerAddress(host, port, tls, plain_http, proxy)
    try:
        serve_leagues(served, place, LocalEnvironment(), remark, counting, plays=run)
    except Stopped:  # that is how it is meant to end
        remark("stopped; received submissions are stored, and continue when you serve the leagues again")


def _host_and_port(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        fail(Exit.WRONG_USE, f"--metrics {text}: not an address; write for instance 127.0.0.1:9464")
    return host.strip("[]"), int(port)
