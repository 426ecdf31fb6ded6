"""Who asks the API, and how often: tokens and limits for Django REST framework."""
