"""A league on many machines: nodes that joined a scheduler of Dask play it, and the runner judges what they send."""
