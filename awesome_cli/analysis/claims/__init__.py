"""Claims of the survey: verdicts, first failing days, sensitivity, and candidates that would overturn a claim."""
