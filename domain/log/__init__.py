"""The event log: canonical bytes, sealed events, ledgers, command contexts and the Merkle tree."""
