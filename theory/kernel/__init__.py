"""What must be trusted: the checker, and how records become what it reads."""
