import h5py
import numpy as np
import pytest

import rosenblatt as rb


@pytest.fixture
def kept(tmp_path):
    path = tmp_path / "run.nc"
    run = rb.simulate(rb.rules.Hebb(), rb.schedules.Constant(), dim=10, alpha=[1, 2])
    rb.save(run, path)
    return path


def refused(path, words):
    with pytest.raises(ValueError, match=words) as said:
        rb.load(path)
    assert "\n" not in str(said.value)
    assert str(path) in str(said.value)


def test_numbers_of_another_file_are_not_read(kept, tmp_path):
    (tmp_path / "secret").write_bytes(bytes(16))
    shape, kind = (1, 2), np.dtype("f8")
    with h5py.File(kept, "a") as file:
        external = [(str(tmp_path / "secret"), 0, 16)]
        file.create_dataset("stolen", shape, kind, external=external)
    refused(kept, "'stolen' takes its numbers from another file")


def test_virtual_arrays_are_not_read(kept, tmp_path):
    with h5py.File(tmp_path / "other.h5", "w") as other:
        other["x"] = np.zeros(3)
    layout = h5py.VirtualLayout((3,), "f8")
    layout[:] = h5py.VirtualSource(str(tmp_path / "other.h5"), "x", shape=(3,))
    with h5py.File(kept, "a") as file:
        file.create_virtual_dataset("stolen", layout)
    refused(kept, "'stolen' takes its numbers from another file")


@pytest.mark.parametrize(
    "link", [h5py.ExternalLink("/tmp/other.h5", "/x"), h5py.SoftLink("/error")]
)
def test_links_are_not_followed(kept, link):
    with h5py.File(kept, "a") as file:
        file["stolen"] = link
    refused(kept, "'stolen' is a link")


def test_groups_are_refused(kept):
    with h5py.File(kept, "a") as file:
        file.create_group("inner")
    refused(kept, "'inner' is a group")


def test_arrays_larger_than_their_file_are_refused_before_they_are_made(kept):
    with h5py.File(kept, "a") as file:  # of which no number is stored
        file.create_dataset("vast", (10**9, 10**3), "f8", chunks=(100, 100))
    refused(kept, "would take 8000000000[0-9]{3} bytes")


def test_files_that_are_damaged_anywhere_are_read_or_refused_in_one_line(kept):
    draw, whole, found = np.random.default_rng(0), kept.read_bytes(), []
    for _ in range(200):
        damaged = bytearray(whole)
        for place in draw.integers(0, len(whole), 20):
            damaged[place] = draw.integers(256)
        kept.write_bytes(damaged)
        try:
            rb.load(kept)
        except ValueError as failure:
            found.append(str(failure))
    assert found
    assert not any("\n" in words for words in found)


def test_a_heap_entry_without_size_is_refused(kept):
    """The HDF5 library looked for the next entry for ever."""
    content = bytearray(kept.read_bytes())
    first = content.index(b"GCOL") + 16
    content[first : first + 2] = bytes(2)  # index 0: free space
    content[first + 8 : first + 16] = bytes(8)
    kept.write_bytes(content)
    refused(kept, "a heap of names is damaged")


def test_an_empty_file_is_refused(kept):
    kept.write_bytes(b"")
    refused(kept, "is not a netCDF file")
