"""`copilot usage`: the calls made, for reconciling with a gateway's console. No contents."""

from typing import TYPE_CHECKING, Annotated

import typer

from copilot.cli.options import Json, Lang, LangCode, language
from copilot.errors import UsageError

if TYPE_CHECKING:
    from copilot.usage import Usage

Csv = Annotated[bool, typer.Option("--csv", help="One line per call, for a spreadsheet.")]
Since = Annotated[str | None, typer.Option(metavar="DATE", help="From this day or time on, UTC: 2026-12-01.")]


def usage(*, since: Since = None, csv: Csv = False, lang: Lang = None, json: Json = False) -> int:
    """Show which calls were made: time, provider, model, request id, tokens, seconds, price."""
    from copilot import places
    from copilot.usage import FILE, read

    if csv and json:
        raise UsageError("--csv and --json were both given.", "Choose one.")
    found = read(places.data_folder() / FILE, _moment(since))
    if json:
        print(found.model_dump_json(by_alias=True, indent=2))
    elif csv:
        _csv(found)
    else:
        print("\n".join(_lines(found, language(lang))))
    return 0


def _moment(since: str | None) -> str | None:
    """The day or time as the ledger writes it."""
    import datetime as dt

    if since is None:
        return None
    try:
        moment = dt.datetime.fromisoformat(since)
    except ValueError as error:
        raise UsageError(f"{since} is no date.", "Write it like 2026-12-01 or 2026-12-01T08:00.") from error
    utc = moment.astimezone(dt.UTC) if moment.tzinfo else moment.replace(tzinfo=dt.UTC)
    return utc.isoformat(timespec="milliseconds")


def _csv(found: "Usage") -> None:
    """Every call on a line, with a heading; what a spreadsheet would run as a formula is quoted."""
    import csv
    import sys

    from copilot.usage import Call

    writer = csv.DictWriter(sys.stdout, fieldnames=list(Call.model_fields), lineterminator="\n")
    writer.writeheader()
    for call in found.calls:
        row = call.model_dump()
        writer.writerow({k: f"'{v}" if isinstance(v, str) and v[:1] in "=+-@\t" and v else v for k, v in row.items()})


def _lines(found: "Usage", lang: LangCode) -> list[str]:
    """The totals of each provider and model."""
    from copilot.render.console import visible
    from copilot.text.providers import WORDS

    if not found.totals:
        return [WORDS["usage.none"].in_(lang)]
    rows = []
    for total in found.totals:
        values = total.model_dump()
        values["price"] = "" if total.price is None else f", {total.price:.4f} {total.currency}"
        values["seconds"] = f"{total.seconds:.1f}"
        rows.append(visible(WORDS["usage.row"].fill(**values).in_(lang)))
    if found.unreadable:
        rows.append(WORDS["usage.unreadable"].fill(count=found.unreadable).in_(lang))
    return rows
