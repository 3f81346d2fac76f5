"""Leagues in a browser and over HTTP: what may be seen by whom, pages, the service, and its clients."""
