import numpy as np
import pytest
import safetensors.numpy

import rosenblatt as rb
from rosenblatt.models import ModelFileError


def refused(path, content, message):
    path.write_bytes(content)
    with pytest.raises(ModelFileError, match=message) as error:
        rb.load_model(path)
    assert str(path) in str(error.value)


def test_each_kind_of_bad_file_has_a_message_of_its_own(saved):
    content = saved.read_bytes()
    refused(saved, b"", "is empty")
    refused(saved, b"abc", "cut short")
    refused(saved, content[:300], "cut short or damaged")
    refused(saved, content[:-8], "checksum")
    refused(saved, b"PK\3\4" + bytes(100), "not a safetensors file")
    refused(saved, b"\xff" * 7 + b"\x7f" + b"{" * 30, "cut short or damaged")
    network = {"layer.weight": np.zeros((3, 2), np.float32)}
    refused(saved, safetensors.numpy.save(network), "something else than rosenblatt")
    other = {"format": "pt"}
    refused(saved, safetensors.numpy.save(network, other), "something else")
    newer = content.replace(b'"schema_version":"6"', b'"schema_version":"7"')
    refused(saved, newer, "schema version 7.*up to 6.*written by rosenblatt")
    older = content.replace(b'"schema_version":"6"', b'"schema_version":"1"')
    refused(saved, older, "before the first release; learn the model again")
