"""Who plays the sittings: a player on processes of its own, workers that wrap it with a pipe, and who feeds them."""
