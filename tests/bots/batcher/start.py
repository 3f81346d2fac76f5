"""Starts the bot as a module, so that it is compiled once, and not at every start."""

import sys

sys.path.insert(0, __file__.rsplit("/", 4)[0])

from tests.bots.batcher.bot import main

main()
