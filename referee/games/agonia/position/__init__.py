"""The data of a match: the position, the remaining steps, the actions and the events.

This package has the values, and functions that every other package needs for them. It uses `box`. The rules use it.
"""
