"""The board at work: enemies appear, move, are attacked and die, and tokens come and go.

Players, events and fires all attack with these functions. They know the `position`, not the players.
"""
