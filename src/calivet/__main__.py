"""`python -m calivet`."""

from calivet.cli.main import console

console()
