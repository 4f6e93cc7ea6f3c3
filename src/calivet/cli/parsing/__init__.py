"""Command lines: parsers that speak the reader's language, options that commands share, values, the cursor."""
