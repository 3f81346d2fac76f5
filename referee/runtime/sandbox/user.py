"""The user that a bot becomes where root confines it."""

USERS = range(1_800_000_000, 1_900_000_000)
"""User ids that no person and no service has. Each bot that root confines gets a random one of them."""

READ_ALL = "dac_read_search"
"""The right to read and reach all files, of those that are shown at all (capabilities(7))."""


def as_user(user: int, *, reads_all: bool) -> list[str]:
    """A command to put before another one: it makes that one run as another user, without rights (setpriv(1)).

    Args:
        user: the id of the user and of its only group.
        reads_all: whether the right to read stays, where root keeps to itself (umask 077) what the bot may read.
    """
    rights = f"-all,+{READ_ALL}" if reads_all else "-all"
    caps = [f"--{kind}={rights}" for kind in ("inh-caps", "ambient-caps", "bounding-set")]
    if reads_all:  # else access(2), which many programs ask first, knows nothing of a right that open(2) has
        caps.append("--securebits=+no_setuid_fixup")
    return ["setpriv", "--reuid", str(user), "--regid", str(user), "--clear-groups", *caps, "--"]
