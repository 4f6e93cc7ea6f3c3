"""Many patterns in much text, in one pass; knows nothing of what they mean."""
