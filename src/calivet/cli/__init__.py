"""The command line: parse arguments, call, print, exit code."""
