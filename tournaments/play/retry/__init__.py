"""What is tried again, how often, and when it is given up."""
