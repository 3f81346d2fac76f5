"""The commands of leagues. They join `referee` by the entry points `referee.commands`."""
