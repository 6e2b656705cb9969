"""`awesome taxonomy`."""
