"""Parameters that a version accepts and does not use."""

from copilot.model.text import Text
from copilot.parameters.catalogue import Catalogue
from copilot.parameters.data_files import document


def effect(parameter: str, release: str | None, held: Catalogue) -> Text | None:
    """Why a parameter changes nothing in a known release; None where it does, or the version is unknown."""
    row = document("without_effect.json").get(held.engine, {}).get(parameter)
    if row is None or release is None:
        return None
    since, until, en, zh = row
    place = held.releases.position
    inside = place(since) <= place(release) and (until is None or place(release) <= place(until))
    return Text(en=en, zh=zh) if inside else None
