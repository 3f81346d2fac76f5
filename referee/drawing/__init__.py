"""Matches as pictures: what an onlooker or a seat sees of each moment, as SVG, and the page that steps through them.

All of it is pure: a drawing is a function of what its viewer may know. docs/internals/design.md says why it looks as it
does.
"""
