"""The paper's two experiments at the command line: pieces, store, workers, diagrams and figures."""
