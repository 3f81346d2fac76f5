"""Files that are read and written, `bot.toml`, options and transcripts, and their errors in sentences."""
