"""What every recorded thing shares: digests, the Merkle tree."""
