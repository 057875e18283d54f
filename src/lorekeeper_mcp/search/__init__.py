"""From a question to ranked records and the passages that answer it: values to values."""
