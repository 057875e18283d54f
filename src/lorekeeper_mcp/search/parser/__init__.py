"""Questions in plain words read as filters."""
