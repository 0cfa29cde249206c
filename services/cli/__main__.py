"""`python -m services.cli` is `emeth`."""

from services.cli.main import main

main(prog_name="emeth")
