"""What a submitted rogue tries, all of it: while it is built (`python -m rogues.submitted`), and when it plays."""

import json
import os
import socket
import sys
from pathlib import Path

from . import files, network, processes
from .bot import WON, Attack, Given, Moment
from .frames import Connection

_EVERYWHERE = (
    files.reads_the_store,
    files.asks_the_store,
    files.writes_to_the_store,
    files.reads_the_league_file,
    files.reads_its_opponent,
    files.edits_its_opponent,
    files.removes_its_opponent,
    files.reads_what_others_were_told,
    files.edits_python,
    files.edits_the_system,
    files.climbs_out,
    network.calls_a_service,
    network.calls_by_version_6,
    network.calls_every_socket,
    network.calls_the_internet,
    processes.kills_a_process_by_its_number,
    processes.kills_its_opponents,
    processes.kills_its_parents,
)
AT_LAST = (processes.leaves_a_group,)
AS_A_BOT = (files.edits_itself,)
"""A build may write to its folder."""


def strike(*more: Attack) -> None:
    """Try everything, and more; if anything succeeds, end with a code that nothing else gives."""
    given = Given(sys.argv[-1], **json.loads(Path("given.json").read_text()))
    moment = Moment(given, Connection(socket.socket()))
    for attack in (*_EVERYWHERE, *more):
        if attack.strike(moment):
            os.write(2, f"{attack.strike.__name__} succeeded\n".encode())
            os._exit(WON)


if __name__ == "__main__":
    strike(*AT_LAST)
