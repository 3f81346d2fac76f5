"""The page that steps through a recording: one file without addresses, for a browser with or without a network."""
