"""Doors to what lies outside: the network, the editor, a person at a terminal, the clock."""
