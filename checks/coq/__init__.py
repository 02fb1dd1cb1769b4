"""A second opinion on certificates: their steps as lemmas over the reals, for Coq to accept."""
