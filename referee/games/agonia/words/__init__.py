"""Agonía in words, for people: names, sentences for actions and events, the board drawn. No rule needs it."""
