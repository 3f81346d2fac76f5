"""`referee machine`: let this machine play leagues that run elsewhere."""

from typing import Annotated

import typer

from referee.cli.console import remark
from referee.core.errors import WrongUse


class DaskNotInstalled(WrongUse):
    """Dask is not installed."""

    def __str__(self) -> str:
        return "playing on several machines needs Dask; install it with: pip install 'referee[machines]'"


def machine(
    scheduler: Annotated[str, typer.Argument(metavar="ADDRESS", help="The scheduler of Dask, tls://HOST:PORT.")],
    cores: Annotated[int | None, typer.Option(min=1, help="How many cores play. Default: all.")] = None,
) -> None:
    """Let this machine play matches of leagues that run elsewhere, until you stop the command."""
    try:
        from tournaments.play.nodes.join import join  # noqa: PLC0415 - Dask takes long to import
    except ImportError as error:
        raise DaskNotInstalled from error
    join(scheduler, cores, remark)
