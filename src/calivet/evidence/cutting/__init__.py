"""Lines become artifacts: cut at prompts, fences, headers, and where prose begins."""
