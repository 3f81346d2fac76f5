"""The contents of the box as data: board, cards, characters, enemies and tokens, as they are printed.

The printed values are in the files of `data/`. Nothing here knows of a match.
"""
