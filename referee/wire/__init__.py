"""Bytes on one side, typed values on the other."""
