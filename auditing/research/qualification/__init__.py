"""Models and endpoints as admins see them: qualification, drift, figures, forms."""
