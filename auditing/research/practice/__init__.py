"""Practice and calibration: people judge gold at the desk before they judge traces."""
