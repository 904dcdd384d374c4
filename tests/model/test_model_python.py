# SPDX-License-Identifier: MIT
"""A model file can be read without LoCo: json and struct suffice. tests/model/test_model_file.c writes it, with parameters 0, 1, 2, ..."""
import json
import os
import struct
import subprocess
import tempfile

SHAPES = {
    "0.conv.weight": [3, 4, 2, 8], "0.conv.bias": [8],
    "1.conv.weight": [3, 4, 8, 16], "1.conv.bias": [16],
    "2.lstm.weight": None, "2.lstm.recurrent": [24, 96], "2.lstm.bias": [96],
    "3.dense.weight": [24, 16], "3.dense.bias": [16],
    "4.dense.weight": [16, 3], "4.dense.bias": [3],
}

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "model.safetensors")
    subprocess.run([os.path.join(os.environ["LOCO_BUILD"], "tests", "run_model"), "model_file", path], check=True)
    with open(path, "rb") as file:
        content = file.read()

(length,) = struct.unpack("<Q", content[:8])
header = json.loads(content[8 : 8 + length])
data = content[8 + length :]
assert length % 8 == 0 and content[8:9] == b"{"

metadata = header.pop("__metadata__")
assert list(metadata) == ["format", "loco", "licence", "trained on", "checksum"], metadata
assert metadata["format"] == "loco-model" and metadata["licence"] == "CC0 – free"
assert json.loads(metadata["trained on"]) == {"clips": 12}
description = json.loads(metadata["loco"])
assert list(description) == ["version", "network", "input", "classes"], description
assert description["version"] == 1 and description["input"] == [32, 2]
assert description["network"].startswith("conv 3x4 8, pool 2, ")
assert description["classes"] == ["kick", "snäre", '"hat"']

assert list(header) == list(SHAPES), list(header)
at = count = 0
for name, tensor in header.items():
    assert list(tensor) == ["dtype", "shape", "data_offsets"] and tensor["dtype"] == "F32", (name, tensor)
    assert SHAPES[name] in (None, tensor["shape"]), (name, tensor)
    size = 1
    for side in tensor["shape"]:
        size *= side
    begin, end = tensor["data_offsets"]
    assert begin == at and end == begin + 4 * size, (name, tensor)
    assert struct.unpack(f"<{size}f", data[begin:end]) == tuple(range(count, count + size)), name
    at, count = end, count + size
assert at == len(data)
print(f"{len(header)} tensors with {count} numbers are as expected")
