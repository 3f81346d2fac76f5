"""The pages of leagues as files, which open from disk."""
