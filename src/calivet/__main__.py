"""`python -m calivet`."""

import sys

from calivet.cli.main import main

sys.exit(main())
