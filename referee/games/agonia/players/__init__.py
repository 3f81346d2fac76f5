"""The players at work: their turns, and each kind of action in a module of its own.

Each module lists the legal actions in a stable order, and carries out the chosen one. This package uses `deck` and
`enemies`.
"""
