"""`python -m tests.lints`: the figures of the program, and a line for each place that breaks a rule.

`make check` runs it. Two rules are older than this package: one meaning a name, and plain English.
"""

import sys

from tests import names, plain_english
from tests.lints import banned, examples, mentions, raises, sizes, unused
from tests.lints.program import program

RULES = (banned.findings, examples.findings, mentions.findings, raises.findings, sizes.findings, unused.findings)

if __name__ == "__main__":
    modules = program()
    sources = {module.path: module.text for module in modules}
    print(*names.figures(sources), sep="\n")
    found = [sentence for rule in RULES for sentence in rule(modules)]
    sys.exit("\n".join([*found, *plain_english.findings(modules), *names.shared(sources)]) or None)
