"""Problems: mixtures of losses with certified optima, and the start."""
