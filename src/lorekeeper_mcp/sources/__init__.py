"""The sources of records: Open5e, the embedded SRDs and homebrew formats."""
