"""The official pages of the SRD 5.1: lines, their Markdown, and the rules cut from them at their headings."""
