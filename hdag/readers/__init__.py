"""One file per input format, each text -> Trace value."""
