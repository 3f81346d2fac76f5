"""Pictures of Agonía: the street seen from above, the counter, and what each player carries."""
