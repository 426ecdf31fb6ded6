"""The policy lab: guarantees, forecasts, replays and questions, and the pages on which policies are written."""
