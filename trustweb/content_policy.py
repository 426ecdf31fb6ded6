"""What a browser may load on our pages: the Content Security Policy (W3C, CSP Level 3), in django-csp's words."""

from collections.abc import MutableMapping

# Nothing by default, then one right after another. There is no 'unsafe-inline' anywhere, which is why templates carry
# no inline script and no style attribute: a text of a trace that slipped through unescaped could still run nothing.
ENFORCED = {
    "default-src": ["'none'"],
    "script-src": ["'self'"],
    "style-src": ["'self'"],
    "img-src": ["'self'", "data:"],
    "font-src": ["'self'"],
    "connect-src": ["'self'"],
    # The next three do not fall back on default-src (CSP Level 3, section 6), so each must be said.
    "form-action": ["'self'"],
    "base-uri": ["'none'"],
    "frame-ancestors": ["'none'"],
    "object-src": ["'none'"],
}

# Reported in the browser's console only: enforcing it would stop htmx, which writes answers into pages as HTML.
REPORTED = {"require-trusted-types-for": ["'script'"]}

# Static files pass no middleware. Opened by itself, an SVG or HTML file would be a page of ours that may run scripts.
STATIC_FILE = (
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"
)


def close_static_file(headers: MutableMapping[str, str], path: str, url: str) -> None:
    """What WhiteNoise sends with every file besides its own headers."""
    headers["Content-Security-Policy"] = STATIC_FILE
    headers["X-Frame-Options"] = "DENY"
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Referrer-Policy"] = "same-origin"
    headers["Cross-Origin-Resource-Policy"] = "same-origin"
