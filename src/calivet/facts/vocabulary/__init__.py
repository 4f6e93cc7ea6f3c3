"""What the words of facts tell: of commands, messages, notes, paths, names of devices."""
