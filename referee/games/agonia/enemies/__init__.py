"""The board at work: enemies appear, move, are attacked and die, and tokens with them.

Whoever attacks, be it a player, an event or a fire, does it with these. They know the `position`, not the players.
"""
