"""How sittings are played: by a player on its own processes, in workers that add a pipe, fed by an executor."""
