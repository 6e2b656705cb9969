"""Questions to a corpus. Every answer is a frozen value with `to_report()`; none knows a medium."""
