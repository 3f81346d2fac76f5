"""A league on many machines: nodes that joined a Dask scheduler play it, and the runner verifies their results."""
