"""A survey as a whole: loading and saving it, keys of its records, duplicates."""
