"""The command line: one small file per verb. A command parses, asks one thing, shows it and exits."""

import os

# Looking for plug-ins of pydantic reads the metadata of every installed distribution, a tenth of a short command.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
