"""The commands: each file carries the name that is typed, adds its arguments and runs."""
