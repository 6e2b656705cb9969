"""`python -m awesome_cli`, the same as the console command `awesome`."""

from awesome_cli.cli.main import main

main()
