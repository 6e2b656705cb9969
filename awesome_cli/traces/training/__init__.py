"""From traces to training: one row per decision of a run, with the rewards and the credit that the data allow."""
