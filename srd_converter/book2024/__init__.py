"""The official pages of the SRD 5.2.1: lines, their Markdown, and the rules split at their headings."""
