"""What a paper says, as data: statements, claims, proofs, places."""
