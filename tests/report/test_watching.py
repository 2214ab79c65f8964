"""What the browser tests rely on: a page that does anything it should not is noticed."""

from report.pages import follow
from report.watching import opened


def problems_of(browser, tmp_path, body: str) -> list[str]:
    """Return what goes wrong in a page with this body, once it is loaded and drawn."""
    path = tmp_path / "page #1.html"
    path.write_text(f"<!doctype html><title>page</title>{body}", encoding="utf-8")
    watched = opened(browser, path)
    follow(watched.page)
    watched.page.context.close()
    return watched.problems


def test_a_quiet_page_has_no_problems(browser, tmp_path):
    body = "<a href=\"#below\">below</a><script>console.log(1); location.hash = 'below'</script>"
    assert problems_of(browser, tmp_path, body) == []


def test_an_error_in_the_console_is_noticed(browser, tmp_path):
    assert problems_of(browser, tmp_path, "<script>console.error('lost')</script>") == ["console: lost"]


def test_an_error_in_a_script_is_noticed(browser, tmp_path):
    assert problems_of(browser, tmp_path, "<script>throw new Error('lost')</script>") == ["error: lost"]


def test_a_request_to_the_network_is_noticed(browser, tmp_path):
    found = problems_of(browser, tmp_path, '<img src="http://127.0.0.1:9/picture.png" alt="">')
    assert "request: http://127.0.0.1:9/picture.png" in found


def test_a_request_for_another_file_is_noticed(browser, tmp_path):
    (tmp_path / "other.js").write_text("", encoding="utf-8")
    found = problems_of(browser, tmp_path, '<script src="other.js"></script>')
    assert found == [f"request: {(tmp_path / 'other.js').as_uri()}"]


def test_what_a_policy_of_the_page_forbids_is_noticed(browser, tmp_path):
    policy = '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'">'
    assert any(
        "Content Security Policy" in problem
        for problem in problems_of(browser, tmp_path, f"{policy}<script>1</script>")
    )
