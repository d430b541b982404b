"""Drives the page with a browser: python3 Tests/Pages [PATTERN]…"""
import sys

import acts  # noqa: F401
import clients  # noqa: F401
import examples  # noqa: F401
import fuzz  # noqa: F401
import kept  # noqa: F401
import looks  # noqa: F401
import life  # noqa: F401
import limits  # noqa: F401
import machines  # noqa: F401
import programs  # noqa: F401
import proxies  # noqa: F401
import recording  # noqa: F401
import safety  # noqa: F401
import story  # noqa: F401
import words  # noqa: F401
from surroundings import main

sys.exit(main(sys.argv[1:]))
