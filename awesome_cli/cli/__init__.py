"""The command line: one small file per verb. A command parses, asks one thing, shows it and exits."""

import gc
import os

# Looking for plug-ins of pydantic reads the metadata of every installed distribution, a tenth of a short command.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
# A run is short and its values hold no cycles: collecting as often as by default costs up to a third of a large load.
gc.set_threshold(200_000, 50, 50)
