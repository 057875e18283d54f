"""Attribution texts that licences require, by document key."""

from __future__ import annotations

from collections.abc import Mapping

_LICENSE = "the Creative Commons Attribution 4.0 International License"
_LEGAL_CODE = "https://creativecommons.org/licenses/by/4.0/legalcode"
ATTRIBUTIONS: Mapping[str, str] = {
    "srd-2014": (
        "This work includes material taken from the System Reference Document 5.1 (“SRD 5.1”) by Wizards of the Coast "
        "LLC and available at https://dnd.wizards.com/resources/systems-reference-document. "
        f"The SRD 5.1 is licensed under {_LICENSE} available at {_LEGAL_CODE}."
    ),
    "srd-2024": (
        "This work includes material from the System Reference Document 5.2.1 (“SRD 5.2.1”) by Wizards of the Coast "
        "LLC, available at https://www.dndbeyond.com/srd. "
        f"The SRD 5.2.1 is licensed under {_LICENSE}, available at {_LEGAL_CODE}."
    ),
}
