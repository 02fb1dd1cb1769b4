"""What the paper claims, and what follows from what: records, engines, ledger."""
