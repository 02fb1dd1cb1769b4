"""The pages of `oubli help`, one text file each; the first line is the summary."""
