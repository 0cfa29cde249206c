"""The pure core: the rules of every game, and the aggregates that record matches and tables.

It has no input or output, no clock and no source of chance.
"""
