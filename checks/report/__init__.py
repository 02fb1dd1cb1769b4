"""The report: verdicts as one JSON document, and every rendering of it.

`verdicts` (with `substituted` and `derivation`) writes the document from the ledger; everything else
here reads the document alone and does not know the theory.
"""
