"""`copilot fit`: from a model and a card to the forecast document."""

from copilot.fitting.documents import FitRequest, as_json, drawing, fit_document, settings, settled
from copilot.fitting.inputs import CardRequest, ModelRequest, Shaped, card_of, shape_of

__all__ = [
    "CardRequest",
    "FitRequest",
    "ModelRequest",
    "Shaped",
    "as_json",
    "card_of",
    "drawing",
    "fit_document",
    "settings",
    "settled",
    "shape_of",
]
