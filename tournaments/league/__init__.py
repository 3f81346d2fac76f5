"""What a league is: the values of which everything else is made. Pure."""
