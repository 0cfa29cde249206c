"""The command line `emeth`: runs a service, plays on one, and checks rules without one."""

import os

# The C core of gRPC writes to standard error as soon as it is imported. Each command reports an
# error of a call itself, once, and says what to do next.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")
