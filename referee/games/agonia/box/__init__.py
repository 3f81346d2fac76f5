"""What is in the box, as data: board, cards, characters, enemies and tokens, as they are printed.

What is printed stands in the files of `data/`. Nothing here knows of a match.
"""
