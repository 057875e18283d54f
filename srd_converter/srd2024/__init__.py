"""The SRD 5.2.1 as records, read from its official pages."""
