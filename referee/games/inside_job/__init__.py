"""Inside Job: agents complete missions together, one works against them. Rulings IJ-xx: docs/rulings/inside_job.md."""
