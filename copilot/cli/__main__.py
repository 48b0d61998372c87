"""`python -m copilot.cli`: the command without its script, for a tree that is not installed."""

import sys

from copilot.cli.main import main

sys.exit(main())
