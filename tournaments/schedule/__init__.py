"""Decides which matches are played: formats, seating, suspension, and the remaining matches. Pure."""
