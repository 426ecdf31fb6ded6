"""Many questions in one file, answered within a day at half the price (the Batch API that OpenAI documented first)."""
