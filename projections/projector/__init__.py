"""The projector: the tables of the read models, the thread that fills them, and rebuilding."""
