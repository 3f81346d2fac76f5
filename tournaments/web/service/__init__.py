"""Serves leagues over HTTP: it receives bots and sends results. It reads stores, and never runs a bot itself."""
