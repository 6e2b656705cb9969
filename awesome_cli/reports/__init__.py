"""The two neutral answers: a report and its findings. Neither knows a medium."""
