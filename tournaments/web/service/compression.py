"""Compresses answers that are the same for every visitor.

An answer to somebody who shows a token or a session is never compressed. Such a page has secrets of this reader, and
text of an address beside them: a search that was typed, for instance. Text that occurs twice compresses better. So an
attacker who makes a browser open addresses, and sees how long the answers are, could guess the secrets letter by letter
(BREACH, CVE-2013-3587). An answer to a visitor has nothing that the attacker could not ask for directly.
"""

import gzip
from collections.abc import Mapping

SHORTEST, LONGEST = 1_400, 4 << 20
"""The lengths of bodies that are compressed, in bytes. A shorter one fits a packet; a longer one takes too long."""

_LEVEL = 5


def accepts_gzip(headers: Mapping[str, str]) -> bool:
    """Whether a client takes gzip (RFC 9110, 12.5.3)."""
    for coding in headers.get("accept-encoding", "").lower().split(","):
        name, _, weight = coding.partition(";")
        if name.strip() == "gzip":
            return weight.replace(" ", "").rstrip("0") not in {"q=", "q=0."}
    return False


def compressed(body: bytes) -> bytes:
    """The body in gzip: always the same bytes for the same body."""
    return gzip.compress(body, _LEVEL, mtime=0)
