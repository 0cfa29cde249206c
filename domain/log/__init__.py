"""What matches, armies and tables share: sealed events, stamps, the ledger, digests, the tree."""
