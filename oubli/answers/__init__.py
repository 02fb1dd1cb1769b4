"""From a question in the user's units to a recommendation: parsed, answered, explained, in batches."""
