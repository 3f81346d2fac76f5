"""Boxes for strangers' bots: in a box a bot can do nothing but answer. See docs/sandbox.md."""
