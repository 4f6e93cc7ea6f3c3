"""What matters: patterns found in one pass over the text, and signs computed from the facts."""
