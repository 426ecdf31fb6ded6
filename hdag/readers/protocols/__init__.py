"""How other programs write messages, parts of them, the sides of a call and spans; no reader by itself."""
