"""Verdicts: the judge, the ledger, replayed certificates."""
