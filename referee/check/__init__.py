"""What a bot must do: tested and judged point by point, in matches against itself."""
