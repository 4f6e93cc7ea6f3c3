"""Archives and compression, read as streams and never unpacked to disk."""
