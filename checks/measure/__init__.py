"""How the letters of each claim are measured: by the simulator, the exact laws, or drawn from domains.

`relation` reads a claim of the ledger as numbers, `source` draws instances, the other files measure letters
on them; nothing here writes a bound down a second time.
"""
