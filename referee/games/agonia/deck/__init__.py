"""The deck: how cards are drawn from it, and what the events among them do when they are.

Events bring enemies and attack them, so this stands on `enemies`; players search the deck, so they stand on this.
"""
