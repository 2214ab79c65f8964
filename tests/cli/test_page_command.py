"""`stakes page` writes the page that opens a CSV file."""


def test_the_page_is_written_where_it_is_said(stakes, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = stakes("page")
    assert (done.code, done.out) == (0, "Page: stakes-page.html (open it in a browser)\n")
    assert (tmp_path / "stakes-page.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_page_that_cannot_be_written_is_one_sentence(stakes, tmp_path):
    done = stakes("page", str(tmp_path / "none" / "page.html"))
    assert done.code == 2
    assert "must be in a folder that exists" in done.err
