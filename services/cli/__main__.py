"""The entry point of `python -m services.cli`, which is the command `emeth`."""

from services.cli.main import main

main(prog_name="emeth")
