"""Charts as specifications of Vega-Lite, drawn by the server, each with the table of its numbers.

A selector builds a Chart (`lines`, `marks`); `{% chart %}` draws it through `drawing`, which asks the `engine` once a
digest. `theme` reads the colours of tokens.css, `svg` lets shapes and texts through and nothing else.
"""
