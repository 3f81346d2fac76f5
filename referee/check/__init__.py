"""The check of a bot: each requirement is tested and judged, in matches of the bot against itself."""
