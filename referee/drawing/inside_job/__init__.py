"""Pictures of Inside Job: the round table with its trick and mission, the missions so far, and what each player has."""
