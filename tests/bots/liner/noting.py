"""`noting.py SCRIPT NOTES`: a bot that reads lines and notes each read: how often it had answered, and what came.

It answers with the lines of the script, one after the other.
"""

import os
import sys

script, notes = sys.argv[1:]

with open(script, "rb") as file:  # noqa: PTH123 - it starts often, and needs nothing else
    answers = file.read().splitlines(keepends=True)
with open(notes, "ab", buffering=0) as noted:  # noqa: PTH123
    answered = 0
    while came := os.read(0, 1 << 20):
        noted.write(b"%d %b\n" % (answered, came.hex().encode()))
        if not came.startswith((b'{"type":"end"', b"type end\n")):
            os.write(1, answers[answered])
            answered += 1
