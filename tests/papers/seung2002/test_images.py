import numpy as np
import pytest

from rosenblatt.papers.seung2002.images import bundled, from_files


def test_digits_are_parted_and_scaled():
    found = bundled()
    assert found.train.shape == (1347, 64)
    assert found.test.shape == (450, 64)
    assert np.mean((found.train**2).sum(axis=1)) == pytest.approx(1)


def idx(array):
    """Return whole numbers below 256 as a file of the idx format."""
    sizes = np.array(array.shape, ">i4").tobytes()
    return bytes([0, 0, 8, array.ndim]) + sizes + array.astype(np.uint8).tobytes()


def test_every_fourth_image_of_a_file_is_for_testing(tmp_path):
    pixels = np.arange(8 * 2 * 3).reshape(8, 2, 3)
    images, labels = tmp_path / "images", tmp_path / "labels"
    images.write_bytes(idx(pixels))
    labels.write_bytes(idx(np.arange(8) % 2))
    found = from_files(images, labels)
    assert found.shape == (2, 3)
    assert found.test_labels.tolist() == [0, 0]
    scale = found.test[1, 0] / pixels[4, 0, 0]
    np.testing.assert_allclose(found.test, scale * pixels[::4].reshape(2, 6))
    assert np.mean((found.train**2).sum(axis=1)) == pytest.approx(1)


def test_images_and_labels_must_belong_together(tmp_path):
    images, labels = tmp_path / "images", tmp_path / "labels"
    images.write_bytes(idx(np.zeros((3, 2, 2))))
    labels.write_bytes(idx(np.arange(4)))
    with pytest.raises(ValueError, match="must belong together, got 3 images"):
        from_files(images, labels)
    with pytest.raises(ValueError, match="both or not at all"):
        from_files(images, labels, images)
