"""Files that are read and written, `bot.toml`, options and transcripts, and what is wrong with them in sentences."""
