"""Long computations: a user's rule from its file, and pieces that can be interrupted and resumed."""
