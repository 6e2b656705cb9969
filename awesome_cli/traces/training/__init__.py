"""Training tables from traces: one row per decision of a run, with rewards and credit."""
