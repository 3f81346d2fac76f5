"""Decides which matches are tried again, how often, and when they are given up."""
