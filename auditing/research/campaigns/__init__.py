"""Campaigns as people see them: list, page with figures and charts, start page, cockpit."""
