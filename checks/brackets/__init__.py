"""Named algorithms against the calculator's brackets: who is judged, on which problems, by which risks."""
