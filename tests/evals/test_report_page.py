"""The report in a real browser, without a network."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="the extra `eval` is not installed")

from copilot.evals.report import write_report
from copilot.evals.results import Result
from copilot.evals.rows import CODE_ROWS, rows_of
from copilot.evals.trial import Trial
from copilot.evals.values import METRICS

HOSTILE = "<script>document.title = 'taken'</script>"


def result(row: int, case: str, right: float, kind: str = "auth") -> Result:
    rows = (*rows_of("small"), CODE_ROWS[0])
    values = dict.fromkeys(METRICS, right)
    trial = Trial(
        answers=(), seconds=0.5 + row, cost=0.01 * (row + 1), currency="USD", caught={"quotes_exist": HOSTILE}
    )
    return Result(row=rows[row], case=case, title=HOSTILE, kind=kind, epoch=1, values=values, trial=trial,
                  expected=("--port",), expected_lines=(HOSTILE,))  # fmt: skip


def kind_of(number: int) -> str:
    return "auth" if number < 3 else "network"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    results = [result(2, f"c{n}", 1.0, kind_of(n)) for n in range(4)]
    results += [result(0, f"c{n}", float(n > 1), kind_of(n)) for n in range(4)]
    results += [result(1, f"c{n}", 0.0, kind_of(n)) for n in range(4)]
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_report(results, path)
    return path


def test_the_page_has_no_external_asset_and_everything_is_escaped(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert "http://" not in text
    assert "https://" not in text
    assert HOSTILE not in text
    assert "&lt;script&gt;document.title" in text


def test_markdown_and_json_lie_beside_it(page: Path) -> None:
    assert "| small | 50% (15-85) |" in page.with_suffix(".md").read_text(encoding="utf-8")
    assert '"schema": "copilot.scores/1"' in page.with_suffix(".json").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def opened(page: Path) -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = next((p for p in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if p), None)
    if program is None:
        pytest.skip("no browser on this machine (Debian: apt-get install chromium)")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        tab = browser.new_page()
        tab.problems = []
        tab.on("pageerror", lambda error: tab.problems.append(str(error)))
        tab.on("console", lambda said: tab.problems.append(said.text) if said.type == "error" else None)
        tab.on("request", lambda sent: None if sent.url.startswith("file:") else tab.problems.append(sent.url))
        tab.goto(page.as_uri())
        yield tab
        browser.close()


def test_clicked_in_a_browser(opened: Any) -> None:
    assert opened.title().startswith("copilot eval")
    first = opened.locator("#board tbody tr td:first-child")
    assert first.all_inner_texts() == ["playbook", "small", "small, no findings"]
    opened.click("#board th:nth-child(2) button")
    opened.click("#board th:nth-child(2) button")
    assert first.all_inner_texts()[0] == "small, no findings"
    assert opened.locator("#board th:nth-child(2)").get_attribute("aria-sort") == "ascending"
    plots = opened.locator("svg.plot")
    assert (plots.nth(0).is_visible(), plots.nth(1).is_visible()) == (True, False)
    opened.click("button.tab[data-plot='cost an answer']")
    assert (plots.nth(0).is_visible(), plots.nth(1).is_visible()) == (False, True)
    assert plots.nth(1).locator("circle").count() == 3


def test_pairs_and_worst_cases_in_a_browser(opened: Any) -> None:
    opened.select_option("#pair-a", "small, no findings")
    opened.select_option("#pair-b", "playbook")
    assert "only playbook\t4" in opened.inner_text("#pair")
    assert "0.125" in opened.inner_text("#pair")
    opened.select_option("#kind", "network")
    assert opened.locator("details.case:visible").count() == 1
    opened.select_option("#kind", "")
    case = opened.locator("details.case").first
    case.locator("summary").click()
    assert "Right is: --port" in case.inner_text()
    assert HOSTILE in case.inner_text(), "shown as text"
    assert opened.title() != "taken"
    assert opened.problems == []
