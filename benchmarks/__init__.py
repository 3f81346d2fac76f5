"""What the referee costs, against floors that are measured beside it."""
