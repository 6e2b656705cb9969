"""A survey as a whole: loading it, saving it, keys of its records, works that stand in it twice."""
