"""The rogues: a bot's whole program, which every rogue bot has in its folder as the package `rogues`."""
