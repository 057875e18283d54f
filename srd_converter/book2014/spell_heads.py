"""The head of a spell as the SRD 5.1 prints it: school, casting time with its trigger, range, material, duration.

The data package has "Self" for "Self (15-foot cone)", no triggers, and other schools for three spells.
"""

from __future__ import annotations

import re

_HEAD = re.compile(
    r"^(?P<rank>.+?) Casting Time: (?P<time>[^,]+)(?:, (?P<trigger>.+?))? Range: (?P<range>.+?)"
    r" Components?: [VS, ]*(?:M \((?P<material>.+)\))?(?: [VSM, ]+)? Duration: ?(?P<duration>.+)$"
)
_SCHOOL = re.compile(r"\b[a-z]+(?= cantrip|$| \(ritual\))|(?<=-level )[a-z]+")
_SPLIT = re.compile(r"(?<=—) |(?<=[a-z]-) (?=[a-z])")  # where the book ends a line
_CONCENTRATION = re.compile(r"^concentration,? (?:up to )?")


def head_fields(head: str) -> dict[str, str]:
    """The fields of a spell that its printed head has. Raises ValueError if the text is not such a head."""
    printed = _HEAD.match(head)
    if not printed:
        raise ValueError(f"The head of a spell of the SRD 5.1 cannot be read: {head}")
    fields = {
        "school": _SCHOOL.findall(printed["rank"].lower())[0],
        "casting_time_text": printed["time"],
        "reaction_condition": printed["trigger"],
        "range_text": printed["range"],
        "material_text": _SPLIT.sub("", printed["material"] or ""),
        "duration": _CONCENTRATION.sub("", printed["duration"].lower().rstrip(".")).replace("one minute", "1 minute"),
    }
    return {name: value for name, value in fields.items() if value}
