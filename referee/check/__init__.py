"""What a bot must do, tried and judged point by point, in matches against itself."""
