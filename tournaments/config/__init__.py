"""The league file: read, and checked."""
