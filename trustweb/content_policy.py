"""What a browser may load on our pages: the Content Security Policy (W3C, CSP Level 3), in django-csp's words."""

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
