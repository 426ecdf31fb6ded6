"""Logs that programs keep of their work with models, one file a program or a family of them."""
