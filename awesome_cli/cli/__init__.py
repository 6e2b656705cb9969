"""The command line: one small file per verb. A command parses, asks one thing, shows it and exits."""
