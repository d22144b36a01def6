"""Builds the package with CMake: pip install --no-build-isolation .

CMAKE_ARGS in the environment adds options: CMAKE_ARGS=-DSINEW_PORTABLE=ON for other machines than this one.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

TREE = pathlib.Path(__file__).resolve().parent
VERSION = re.search(r"project\(sinew VERSION ([\d.]+)", (TREE / "CMakeLists.txt").read_text())[1]


class CMakeBuild(build_ext):
    def build_extension(self, extension):
        module = pathlib.Path(self.get_ext_fullpath(extension.name)).resolve()
        folder = pathlib.Path(self.build_temp).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cmake", "-S", TREE, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                        "-DSINEW_TESTS=OFF", "-DSINEW_PYTHON=ON", f"-DPython_EXECUTABLE={sys.executable}",
                        *shlex.split(os.environ.get("CMAKE_ARGS", ""))], check=True)
        subprocess.run(["cmake", "--build", folder, "--target", "sinew_python"], check=True)
        built = next((folder / "python" / "sinew").glob("_core.*.so"), None)
        if built is None:
            sys.exit("sinew: CMake found no pybind11, numpy or Python headers; Debian has them as pybind11-dev, "
                     "python3-numpy and python3-dev")
        module.parent.mkdir(parents=True, exist_ok=True)
        self.copy_file(str(built), str(module))


setup(
    version=VERSION,
    packages=["sinew"],
    package_dir={"sinew": "python/sinew"},
    package_data={"sinew": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("sinew._core", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
)
