"""The players at work: their turns, and their actions by kind.

Each module lists the legal actions in a stable order, and carries out the chosen one. This package uses `deck` and
`enemies`.
"""
