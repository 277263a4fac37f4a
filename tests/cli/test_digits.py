import gzip
import re

import numpy as np
import pytest
from sklearn.datasets import load_digits
from typer.testing import CliRunner

from rosenblatt.cli.app import app
from tests.tables.test_idx import idx


def run(*arguments):
    return CliRunner().invoke(app, ["digits", *map(str, arguments)])


@pytest.fixture
def files(tmp_path):
    """Write images and labels as MNIST does: plain for learning, packed for tests."""
    images, labels = load_digits(return_X_y=True)
    pixels = np.rint(images * 255 / 16).astype(np.uint8).reshape(-1, 8, 8)
    classes = labels.astype(np.uint8)
    tested = np.arange(len(pixels)) % 4 == 0
    given = {}
    for name, rows, pack in (("", ~tested, bytes), ("test-", tested, gzip.compress)):
        for what, array in (("images", pixels[rows]), ("labels", classes[rows])):
            path = tmp_path / f"{name}{what}"
            path.write_bytes(pack(idx(array, 8)))
            given[f"--{name}{what}"] = path
    return given


def accuracies(output):
    """Return the last row of the table."""
    rows = re.findall(r"[│|]\s*(\d+)\s*[│|](.*)[│|]", output)
    return [float(cell) for cell in re.findall(r"\d\.\d{4}", rows[-1][1])]


def test_bundled_images_are_learned_and_drawn(tmp_path):
    curve, weights = tmp_path / "curve.png", tmp_path / "weights.png"
    done = run("--passes", 3, "--plot", curve, "--weights", weights)
    assert done.exit_code == 0, done.output
    own, *_ = accuracies(done.output)
    # 0.945 after three passes; 450 images: 5 standard errors are 0.054
    assert own > 0.88
    assert "LogisticRegression: 0.95" in done.output
    assert curve.stat().st_size > 10_000
    assert weights.stat().st_size > 5_000


def test_files_in_idx_format_give_the_same(files):
    done = run("--passes", 2, *(entry for pair in files.items() for entry in pair))
    assert done.exit_code == 0, done.output
    assert "450 test images" in done.output
    # pixels are rounded to 255 levels, which changes next to nothing
    own = accuracies(done.output)[0]
    assert own == pytest.approx(accuracies(run("--passes", 2).output)[0], abs=0.02)


def test_without_test_files_one_image_in_four_is_for_testing(files):
    done = run(
        "--passes", 1, "--images", files["--images"], "--labels", files["--labels"]
    )
    assert done.exit_code == 0, done.output
    assert "accuracy on 337 test images" in done.output


def test_wrong_files_and_options_are_one_line(files, tmp_path):
    images, labels = files["--images"], files["--labels"]
    short = tmp_path / "short"
    short.write_bytes(images.read_bytes()[:-5])
    for arguments, message in (
        (("--images", images), "--images and --labels must be given both"),
        (("--test-images", images), "need --images and --labels"),
        (("--images", "no", "--labels", labels), "there is no file 'no'"),
        (("--images", short, "--labels", labels), "is truncated"),
        (("--images", labels, "--labels", labels), "must have three dimensions"),
        (("--images", images, "--labels", images), "one whole number per image"),
        (
            ("--images", images, "--labels", files["--test-labels"]),
            "must belong together, got 1347 images",
        ),
        (("--passes", 0), "--passes must be a whole number not below 1"),
        (("--seed", -1), "--seed must be a whole number not below 0"),
        (("--plot", "curve.txt"), "--plot must be a file ending in"),
        (
            ("--images", images, "--labels", labels, "--test-images", images),
            "test images and test labels must be given both",
        ),
    ):
        done = run(*arguments)
        assert done.exit_code == 2, message
        assert message in done.stderr
        assert len(done.stderr.splitlines()) == 1
