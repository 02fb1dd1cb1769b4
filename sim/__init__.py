"""What happens: exact laws, problems of the class, algorithms and their runs."""
