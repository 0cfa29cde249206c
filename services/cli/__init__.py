"""`emeth`, the command line: keeps a service, plays on one, checks rules without one."""

import os

# The core of gRPC writes lines of its own to standard error as soon as it is imported. What goes
# wrong is told by whoever called it, once, and in words that say what to do.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")
