"""Commands that do not outlive the process that started them."""

import os
from collections.abc import Sequence

START_ONLY_UNDER = """
read -r _ _ _ parent _ </proc/self/stat
[ "$parent" = "$0" ] && exec env -u PWD -u OLDPWD -u SHLVL -u _ "$@"
"""
"""If the parent died before the kernel was asked for a signal, no signal will follow. The shell then has another parent
by now, and must not start the command. $PPID would not do: it is 0 in a new namespace of processes. `env` takes away
what shells add to the environment."""


def with_parent_death_signal(command: Sequence[str]) -> list[str]:
    """A command that runs `command` and is killed when the thread that started it ends (PDEATHSIG).

    setpriv asks the kernel for the signal and becomes the shell, which becomes the command: the request outlives exec.
    """
    guard = ["setpriv", "--pdeathsig", "KILL", "--", "sh", "-c", START_ONLY_UNDER, str(os.getpid())]
    return [*guard, *command]
