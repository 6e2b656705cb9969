"""Files on disk and in git: reading YAML with positions, editing it in place, the canonical form of a record."""
