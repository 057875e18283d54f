"""What is kept in memory of the store's rows."""
