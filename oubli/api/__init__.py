"""What `import oubli` offers beyond re-exports: one call and its result in each file."""
