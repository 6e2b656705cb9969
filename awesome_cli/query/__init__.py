"""One language to ask for records, for the command line, claims and the site."""
