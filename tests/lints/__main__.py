"""`python -m tests.lints`: a line for each place where the program breaks a rule. `make check` runs it."""

import sys

from tests.lints import banned, examples, mentions, raises, sizes, unused
from tests.lints.program import program

RULES = (banned, examples, mentions, raises, sizes, unused)

if __name__ == "__main__":
    modules = program()
    sys.exit("\n".join(found for rule in RULES for found in rule.findings(modules)) or None)
