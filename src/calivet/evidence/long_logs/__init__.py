"""Logs too long to keep: searched block by block, of which only what tells something is kept."""
