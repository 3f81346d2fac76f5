"""The games of OpenSpiel as one game, whose option `game` says which. It needs the extra `openspiel`."""
