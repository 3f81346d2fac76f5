"""Whatever a transcript says, every command that reads it prints a result or sentences. An exception is a bug."""
