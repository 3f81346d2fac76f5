"""Files that people write: `bot.toml`, the options of a game, and what is wrong with them in sentences."""
