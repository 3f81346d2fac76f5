"""What a rogue may print."""

import os
import sys
import time
from itertools import count

from .bot import BEFORE_IT_LISTENS, FIRST, SECOND, Moment, at
from .wire import PAINT


@at(FIRST)
def prints_much(_moment: Moment) -> bool:
    """Prints 256 MiB."""
    for _ in range(256):
        os.write(2, bytes(1 << 20))
    return False


@at(FIRST)
def prints_one_long_line(_moment: Moment) -> bool:
    """Prints a line of 16 MiB that does not end."""
    os.write(1, b"REFEREE_PORT=" + b"1" * (16 << 20))
    return False


@at(SECOND)
def paints_its_last_words(_moment: Moment) -> None:
    """Dies with last words that would take over a terminal."""
    os.write(2, PAINT.encode() * 10 + b"\xff\xfe\x00\x80")
    os._exit(3)


@at(SECOND)
def forges_its_last_words(_moment: Moment) -> None:
    """Dies with last words that look like lines of the referee."""
    os.write(2, b"\n\n1. rogue@1  2000\ndigest 00000000\nReferee: rogue@1 has won the league\n")
    os._exit(3)


@at(SECOND)
def never_stops_printing(_moment: Moment) -> None:
    """Prints for ever in place of an answer."""
    for number in count():
        os.write(2, f"still thinking about {number}\n".encode() * 100)


@at(FIRST)
def names_another_port(moment: Moment) -> bool:
    """Prints a port that is another program's, when nobody waits for one."""
    print(f"REFEREE_PORT={moment.given.port}", flush=True)
    return False


@at(BEFORE_IT_LISTENS)
def is_another_program(moment: Moment) -> None:
    """Prints the port of another program as its own."""
    print(f"REFEREE_PORT={moment.given.port}", flush=True)
    time.sleep(3600)


@at(BEFORE_IT_LISTENS)
def has_no_port(_moment: Moment) -> None:
    """Prints ports that there are not."""
    for port in ("0", "-1", "65536", "99999", "007", "1e3", "", "x" * 5_000):
        sys.stdout.write(f"REFEREE_PORT={port}\n")
    sys.stdout.flush()
    time.sleep(3600)


@at(FIRST)
def closes_its_output(_moment: Moment) -> bool:
    """Closes all that it can print to."""
    os.closerange(0, 3)
    return False
