import pytest
from typer.testing import CliRunner

from rosenblatt.cli import lab
from rosenblatt.cli.app import app


@pytest.fixture
def served(monkeypatch):
    """Serve nothing; return the arguments of all calls."""
    calls = []

    def serve(address, port, *, ready, **more):
        calls.append((address, port, more))
        ready(f"http://{address}:{port}/")

    monkeypatch.setattr(lab.web, "serve", serve)
    return calls


def test_options_reach_the_server_and_the_address_is_printed(served, monkeypatch):
    opened = []
    monkeypatch.setattr(lab.webbrowser, "open", opened.append)
    done = CliRunner().invoke(app, ["lab", "--port", "80", "--open"])
    assert done.exit_code == 0
    assert served == [("127.0.0.1", 80, {"rules": (), "stop_after": None})]
    assert done.stdout.startswith("http://127.0.0.1:80/\n")
    assert opened == ["http://127.0.0.1:80/"]


def test_an_address_that_others_can_reach_comes_with_a_warning(served):
    done = CliRunner().invoke(app, ["lab", "--address", "0.0.0.0"])
    assert "everybody who can reach 0.0.0.0" in done.stderr
