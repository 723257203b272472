"""``python -m p2p_davinci``: the same as the command ``p2p-davinci``."""

from __future__ import annotations

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
