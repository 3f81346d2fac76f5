"""Seats for agents: programs around language models that play through tools."""
