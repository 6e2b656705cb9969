"""Access to the outside: network, programs, editor, terminal, signals, clock."""
