"""From values back to files: the only way a record reaches the disk."""
