"""Who plays the sittings: processes on this machine."""
