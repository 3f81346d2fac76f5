"""Who may submit what to a league, and what becomes of it: values and rules, without a disk, a clock or processes."""
