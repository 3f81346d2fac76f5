"""The outer layer: processes, sockets and clocks. Everything that can go wrong outside the rules goes wrong here."""
