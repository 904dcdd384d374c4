# SPDX-License-Identifier: MIT
"""Packs the package for pip (PEP 517 and 660) with Python alone, so that it installs without a network.

The wheel holds libloco when there is one: $LOCO_LIBRARY, or build/release of the source tree. It is then made for this
platform; otherwise it is pure Python, and the library is looked for when the package is imported.
"""
import base64
import hashlib
import io
import os
import pathlib
import re
import sys
import sysconfig
import tarfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = dict(re.findall(r'^(\S+) = "(.*)"$', (HERE / "pyproject.toml").read_text(), re.M))
STEM = f"{PROJECT['name']}-{PROJECT['version']}"
METADATA = (f"Metadata-Version: 2.1\nName: {PROJECT['name']}\nVersion: {PROJECT['version']}\n"
            f"Summary: {PROJECT['description']}\nLicense: MIT\nRequires-Python: {PROJECT['requires-python']}\n"
            f"Requires-Dist: numpy\nDescription-Content-Type: text/markdown\n\n{(HERE / 'README.md').read_text()}")


def _library():
    name = "libloco.dylib" if sys.platform == "darwin" else "libloco.so"
    path = pathlib.Path(os.environ.get("LOCO_LIBRARY") or HERE.parents[1] / "build" / "release" / name)
    return {f"loco/{name}": path.read_bytes()} if path.exists() else {}


def _write(directory, files, tag):
    """Writes a wheel of files, {path in the wheel: bytes}; returns its name."""
    info = f"{STEM}.dist-info"
    files[f"{info}/METADATA"] = METADATA.encode()
    files[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: loco\nRoot-Is-Purelib: {str(tag == 'any').lower()}\n"
                              f"Tag: py3-none-{tag}\n").encode()
    record = ""
    for path, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(data)}\n"
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    name = f"{STEM}-py3-none-{tag}.whl"
    with zipfile.ZipFile(os.path.join(directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            wheel.writestr(path, data)
    return name


def build_wheel(directory, config_settings=None, metadata_directory=None):
    library = _library()
    files = {f"loco/{path.name}": path.read_bytes() for path in sorted((HERE / "loco").glob("*.py"))}
    tag = re.sub(r"[-.]", "_", sysconfig.get_platform()) if library else "any"
    return _write(directory, {**files, **library}, tag)


def build_editable(directory, config_settings=None, metadata_directory=None):
    return _write(directory, {"loco.pth": f"{HERE}\n".encode()}, "any")


def build_sdist(directory, config_settings=None):
    name = f"{STEM}.tar.gz"
    with tarfile.open(os.path.join(directory, name), "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for path in ["pyproject.toml", "README.md", "backend.py", *(f"loco/{p.name}" for p in HERE.glob("loco/*.py"))]:
            archive.add(HERE / path, f"{STEM}/{path}")
        information = tarfile.TarInfo(f"{STEM}/PKG-INFO")
        information.size = len(METADATA.encode())
        archive.addfile(information, io.BytesIO(METADATA.encode()))
    return name
