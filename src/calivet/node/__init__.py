"""A node as one more source of evidence: the probe, a shell script, and the ways to run it."""
