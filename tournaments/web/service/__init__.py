"""Leagues served over HTTP: bots come in, results go out. It reads stores and takes bots; it never runs one itself."""
