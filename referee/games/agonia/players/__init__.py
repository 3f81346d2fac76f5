"""What players do: their turns, and each kind of action in a module of its own.

Each says what can be chosen, in a stable order, and what comes of the choice. Stands on `deck` and `enemies`.
"""
