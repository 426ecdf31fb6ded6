#!/usr/bin/env python
"""The one door for commands: `python manage.py serve` runs the whole system."""

import os
import sys


def main() -> None:
    """Run the Django command named on the command line."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "trustweb.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
