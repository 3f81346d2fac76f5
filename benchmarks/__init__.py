"""What the referee costs, compared with floors that are measured in the same run."""
