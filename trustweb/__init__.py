"""Wiring only: how the apps are configured, started and watched."""
