"""The page that steps through a film: one file without addresses, for a browser with or without a network."""
