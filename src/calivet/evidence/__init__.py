"""Where raw material comes from; nothing here interprets it."""
