"""The deck: how players draw cards, and what an event card does when a player draws it.

Events bring enemies and attack them, so this package uses `enemies`. Players search the deck, so `players` uses this.
"""
