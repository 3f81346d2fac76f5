"""A bot that reads lines. By its first argument it is honest, or misbehaves in one way at its second decision."""

import contextlib
import fcntl
import json
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

HOW = sys.argv[1]
SLEEPER = "import time; time.sleep(30)"


def say(text: object) -> None:
    write(f"{text}\n".encode())


def write(octets: bytes) -> None:
    while octets:
        octets = octets[os.write(1, octets) :]


def choice(message: dict[str, Any]) -> int:
    return int(message["number"]) % len(message["legal"])


def leave_a_child(**pipes: Any) -> None:
    subprocess.Popen([sys.executable, "-c", SLEEPER], **pipes)


def flood(descriptor: int) -> None:
    for _ in range(192):
        os.write(descriptor, b"x" * 65536)


def saying(text: str) -> Callable[[dict[str, Any]], None]:
    return lambda _message: write(text.encode(errors="surrogateescape"))


def hold_output(_message: dict[str, Any]) -> None:
    leave_a_child(stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os._exit(3)


def close_output(_message: dict[str, Any]) -> None:
    os.close(1)
    time.sleep(30)


def end_half_said(_message: dict[str, Any]) -> None:
    write(b"0")
    os._exit(0)


def wait_half_said(_message: dict[str, Any]) -> None:
    write(b'{"index":')
    time.sleep(30)


def flood_errors(message: dict[str, Any]) -> None:
    flood(2)
    say(choice(message))


def ignore_input(_message: dict[str, Any]) -> None:
    time.sleep(30)


def reopen_input(message: dict[str, Any]) -> None:
    """Read from /dev/stdin from now on, and write to /dev/stdout."""
    os.dup2(os.open("/dev/stdin", os.O_RDONLY), 0)
    os.dup2(os.open("/dev/stdout", os.O_WRONLY), 1)
    say(choice(message))


def exit_with_3(_message: dict[str, Any]) -> None:
    os._exit(3)


def abort(_message: dict[str, Any]) -> None:
    signal.signal(signal.SIGABRT, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGABRT)


def leave_a_session(message: dict[str, Any]) -> None:
    with contextlib.suppress(OSError, subprocess.SubprocessError):  # a sandbox may forbid it
        leave_a_child(stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True)
    say(choice(message))


def open_pipes_of_others(message: dict[str, Any]) -> None:
    """Open the standard streams of every other process that it can see, and end with 7 if one can be opened."""
    own = {os.fstat(descriptor).st_ino for descriptor in (0, 1, 2)}
    for process in range(1, 1 << 16):  # it may not be allowed to list them
        for descriptor, mode in (("0", os.O_RDONLY), ("0", os.O_WRONLY), ("1", os.O_RDONLY), ("1", os.O_WRONLY)):
            with contextlib.suppress(OSError):
                path = f"/proc/{process}/fd/{descriptor}"
                status = os.stat(path)  # noqa: PTH116 - for each process, many times
                if stat.S_ISFIFO(status.st_mode) and status.st_ino not in own:
                    os.close(os.open(path, mode | os.O_NONBLOCK))
                    os._exit(7)
    say(choice(message))


def enlarge_pipes(message: dict[str, Any]) -> None:
    for descriptor in (0, 1):
        with contextlib.suppress(OSError):
            fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, 1 << 20)
    say(choice(message))


def fill_its_own_input(message: dict[str, Any]) -> None:
    """Write into its own input, as if the referee had, where that can be opened."""
    with contextlib.suppress(OSError):
        os.write(os.open("/proc/self/fd/0", os.O_WRONLY | os.O_NONBLOCK), b'{"type":"noise"}\n')
    say(choice(message))


AT_DECISION_2: dict[str, Callable[[dict[str, Any]], None]] = {
    "prints_a_banner": saying("Welcome!\n0\n"),
    "chooses_minus_one": saying("-1\n"),
    "chooses_a_fraction": saying("0.0\n"),
    "shouts": saying("READY\n"),
    "says_an_empty_line": saying("\n"),
    "says_nul": saying("0\0\n"),
    "says_no_utf8": saying("\udcff\udcfe\n"),
    "says_5000_digits": saying("1" * 5000 + "\n"),
    "chooses_99": saying("99\n"),
    "says_an_object_without_index": saying('{"note":"hm"}\n'),
    "says_another_number": saying('{"index":0,"number":7}\n'),
    "says_broken_json": saying('{"index":0\n'),
    "says_deep_json": saying('{"x":' + "[" * 60_000 + "\n"),
    "says_a_negative_index": saying('{"index":-1}\n'),
    "says_ready": saying("ready\n"),
    "is_unavailable": saying('{"unavailable":"503\\u001b[31m"}\n'),
    "says_too_long_a_line": saying("1" * 70_000 + "\n"),
    "floods": lambda _message: flood(1),
    "exits": exit_with_3,
    "aborts": abort,
    "leaves_a_child_with_its_output": hold_output,
    "ends_half_said": end_half_said,
    "waits_half_said": wait_half_said,
    "closes_its_output": close_output,
    "never_answers": ignore_input,
    "answers_twice": lambda message: say(f"{choice(message)}\n0"),
    "floods_stderr": flood_errors,
    "reopens_its_pipes": reopen_input,
    "opens_pipes_of_others": open_pipes_of_others,
    "enlarges_its_pipes": enlarge_pipes,
    "fills_its_own_input": fill_its_own_input,
    "leaves_a_session": leave_a_session,
    "blanks": lambda message: write(f" \t{choice(message)} \r\n".encode()),
    "notes": lambda message: say(
        json.dumps({"note": {"text": "so", "tries": 1, "tokens": 9}, "index": choice(message), "x": [1]})
    ),
}


def main() -> None:  # noqa: C901 - some of them misbehave at the start or at the end
    """Play."""
    if HOW == "speaks_first":
        say("0")
    if HOW == "never_starts":
        sys.exit(3)
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start":
            if HOW == "closes_its_input":
                os.close(0)
            say("0" if HOW == "is_never_ready" else '{"ready":true}' if HOW == "notes" else "ready")
            if HOW == "closes_its_input":
                time.sleep(30)
        elif message["type"] == "noise":
            continue
        elif message["type"] == "end":
            if HOW == "answers_the_end":
                say("0")
        elif message["number"] == 2 and HOW in AT_DECISION_2:
            AT_DECISION_2[HOW](message)
        else:
            say(choice(message))


if __name__ == "__main__":
    main()
