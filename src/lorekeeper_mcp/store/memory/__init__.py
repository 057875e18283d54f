"""The in-memory indexes over the store's rows, and the row file that feeds them."""
