"""`python -m clinch` is the driver."""

import sys

from clinch.cli import main

sys.exit(main(sys.argv[1:]))
