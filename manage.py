#!/usr/bin/env python
"""The one door for commands: `python manage.py serve` runs the whole system."""

import os
import sys


def main() -> None:
    """Run the Django command named on the command line; a known trouble ends in one sentence."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "trustweb.settings")
    from django.core.exceptions import ImproperlyConfigured

    from trustweb.serve.processes import ServiceError

    try:
        if sys.argv[1:2] == ["serve"]:
            from trustweb.serve.command import main as serve

            return serve(sys.argv[2:])  # it starts programs, and need not load Django for that
        from django.core.management import execute_from_command_line

        execute_from_command_line(sys.argv)
    except (ImproperlyConfigured, ServiceError) as trouble:
        sys.exit(str(trouble))


if __name__ == "__main__":
    main()
