"""`python -m calivet`."""

from calivet.evidence.isolated_python import forget_current_folder

forget_current_folder()

from calivet.cli.main import console  # noqa: E402 - nothing is imported while the current folder comes first

console()
