"""The values and rules for submissions to a league, without a disk, a clock or processes."""
