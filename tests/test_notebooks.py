"""What notebooks show: small tables with a caption, headings of rows and columns, and names as text."""

from html.parser import HTMLParser

import pytest

from stakes import Cases, Uniform, best_thresholds, brier_score, compare, evaluate, rank

ODD = '<script>alert("x")</script>'
CASES = Cases([0, 1, 1, 0] * 9, {ODD: [0.1, 0.8, 0.9, 0.2] * 9, "b": [0.5, 0.4, 0.5, 0.5] * 9})
MANY = Cases([0, 1] * 50, {f"m{k}": [0.1 + k / 100, 0.6] * 50 for k in range(40)})
SHOWN = {
    "cases": CASES,
    "comparison": compare(CASES, ODD, "b", brier_score),
    "ranking": rank(CASES, brier_score),
    "policy": best_thresholds(CASES.table(ODD), Uniform(0.05, 0.95)),
}
VOID = {"br"}


class Outline(HTMLParser):
    """The elements of a page, which must be closed in the order in which they were opened."""

    def __init__(self, text):
        super().__init__()
        self.open, self.seen, self.texts = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append((self.open[-1], data))


every_kind = pytest.mark.parametrize("shown", SHOWN.values(), ids=SHOWN)


@every_kind
def test_a_table_is_whole_and_can_be_read_aloud(shown):
    page = Outline(shown._repr_html_())
    assert page.open == []
    tags = [tag for tag, _ in page.seen]
    assert tags.count("caption") == 1
    rows = tags.count("tr") - 1
    assert [attrs["scope"] for tag, attrs in page.seen if tag == "th"].count("row") == rows >= 1
    assert tags.count("td") + rows == rows * [attrs.get("scope") for _, attrs in page.seen].count("col")


@every_kind
def test_names_are_text(shown):
    assert "<script>" not in shown._repr_html_()


def test_the_numbers_are_those_of_the_object():
    comparison, ranking, policy = SHOWN["comparison"], SHOWN["ranking"], SHOWN["policy"]
    assert f"<td>{comparison.upper:.4g}</td>".replace("-", "\u2212") in comparison._repr_html_()
    assert all(f"<td>{one:.4g}</td>" in ranking._repr_html_() for one in ranking.estimate.values())
    assert all(f"<td>{one:.4g}</td>" in policy._repr_html_() for one in policy.regret)
    assert "36 cases, 18 positive (50%)" in CASES._repr_html_()


def test_long_tables_are_cut_and_say_so():
    page = MANY._repr_html_()
    assert page.count("<th scope=row>") == 30
    assert "10 more are not shown." in page


def test_evaluations_have_the_same_style():
    style = CASES._repr_html_().partition("</style>")[0]
    assert evaluate([0, 1, 0, 1], {"m": [0.1, 0.8, 0.3, 0.6]}, "10%..50%")._repr_html_().startswith(style)
