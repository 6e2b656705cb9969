"""Claims of the survey: verdicts, first failing day, sensitivity, and candidates that would overturn them."""
