"""Leagues in a browser and over HTTP: rules of visibility, pages, the service, and its clients."""
