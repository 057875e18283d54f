"""The SRD 5.1 as records, read from the packages of its data and of its official pages."""
