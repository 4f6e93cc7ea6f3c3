"""Where bytes come from: files, folders, streams, and file systems that hang."""
