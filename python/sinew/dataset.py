"""Reading data sets of `sinew batch`, lazily: numpy alone is needed.

    data = sinew.Dataset("arm-data")
    data["flesh.displacement"][17]          # of sample 17, an array
    data.parameters[:100]                   # what was varied, by row
    for x in data.split("train")["flesh.displacement"]: ...
    loader = torch.utils.data.DataLoader(data.split("train").torch("parameters", "flesh.displacement"))

Rows are the solved samples in order; `data.index` has their numbers. Arrays stay on the disk until rows of them are asked
for: shards are stored uncompressed and mapped into memory.
"""
from __future__ import annotations

import bisect
import json
import pathlib
import struct
import zipfile
from typing import Any, Dict, Iterator, List, Optional, Tuple, Union

import numpy as np

__all__ = ["Dataset", "Field"]


def _map_npz(path: pathlib.Path) -> Dict[str, np.ndarray]:
    """The arrays of an uncompressed archive, as read-only maps of the file."""
    arrays: Dict[str, np.ndarray] = {}
    with zipfile.ZipFile(path) as archive, open(path, "rb") as file:
        for info in archive.infolist():
            name = info.filename[:-4] if info.filename.endswith(".npy") else info.filename
            if info.compress_type != zipfile.ZIP_STORED:
                with archive.open(info) as member:
                    arrays[name] = np.lib.format.read_array(member, allow_pickle=False)
                continue
            file.seek(info.header_offset)
            header = file.read(30)
            if header[:4] != b"PK\x03\x04":
                raise ValueError(f"{path}: the archive is broken at {info.filename}")
            name_length, extra_length = struct.unpack("<HH", header[26:30])
            file.seek(info.header_offset + 30 + name_length + extra_length)
            version = np.lib.format.read_magic(file)
            read_header = (np.lib.format.read_array_header_1_0 if version == (1, 0)
                           else np.lib.format.read_array_header_2_0)
            shape, fortran, dtype = read_header(file)
            if fortran or dtype.hasobject:
                raise ValueError(f"{path}: {info.filename} is not what sinew writes")
            if 0 in shape:
                arrays[name] = np.empty(shape, dtype)
            else:
                arrays[name] = np.memmap(path, dtype, "r", file.tell(), shape)
    return arrays


class Field:
    """One array of a data set: a row for each sample, read when asked for."""

    def __init__(self, dataset: "Dataset", name: str, shape: Tuple[int, ...], dtype: Any, unit: str, doc: str) -> None:
        self._dataset, self.name, self.unit, self.doc = dataset, name, unit, doc
        self.row_shape, self.dtype = shape, np.dtype(dtype)

    @property
    def shape(self) -> Tuple[int, ...]:
        return (len(self._dataset), *self.row_shape)

    def __len__(self) -> int:
        return len(self._dataset)

    def __getitem__(self, rows: Any) -> np.ndarray:
        """A row, or several by a slice, numbers or a mask."""
        if isinstance(rows, (int, np.integer)):
            count = len(self)
            if not -count <= rows < count:
                raise IndexError(f"row {rows} of {self.name}: there are {count}")
            return np.asarray(self._dataset._row(int(rows) % count, self.name))
        chosen = np.arange(len(self))[rows]
        out = np.empty((len(chosen), *self.row_shape), self.dtype)
        for k, row in enumerate(chosen):
            out[k] = self._dataset._row(int(row), self.name)
        return out

    def __iter__(self) -> Iterator[np.ndarray]:
        return (self[row] for row in range(len(self)))

    def __array__(self, dtype: Any = None) -> np.ndarray:
        return self[:] if dtype is None else self[:].astype(dtype)

    def __repr__(self) -> str:
        return f"<{self.name} {self.shape} {self.dtype}{' [' + self.unit + ']' if self.unit else ''}>"


class Dataset:
    """A data set folder. Its fields are found by name: `data["flesh.position"]`."""

    def __init__(self, folder: Union[str, pathlib.Path], _rows: Optional[np.ndarray] = None) -> None:
        self.folder = pathlib.Path(folder)
        description = self.folder / "dataset.json"
        if not description.exists():
            hint = "; `sinew batch topup` finishes it" if (self.folder / "study.json").exists() else ""
            raise FileNotFoundError(f"{self.folder}: no finished data set is here{hint}")
        self.info: Dict[str, Any] = json.loads(description.read_text())
        if self.info.get("sinew_dataset") != 1:
            raise ValueError(f"{description}: found version {self.info.get('sinew_dataset')!r}, expected 1")
        self._starts: List[int] = [0]  # first row of each shard
        for shard in self.info["shards"]:
            self._starts.append(self._starts[-1] + int(shard["solved"]))
        self._rows = _rows  # of the whole data set; None: all
        self._shards: Dict[int, Dict[str, np.ndarray]] = {}
        self._manifest: Optional[List[Dict[str, Any]]] = None
        self._rest: Optional[Dict[str, np.ndarray]] = None
        names = [variable["name"] for variable in self.info["variables"]]
        self.variables: List[str] = names
        self.fields: Dict[str, Field] = {
            "index": Field(self, "index", (), "int64", "", "Number of the sample."),
            "parameters": Field(self, "parameters", (len(names),), "float64", "", "What was varied: " + ", ".join(names)),
        }
        for field in self.info["fields"]:
            self.fields[field["name"]] = Field(self, field["name"], tuple(field["shape"]), field["dtype"], field["unit"],
                                               field["doc"])

    def __len__(self) -> int:
        return self._starts[-1] if self._rows is None else len(self._rows)

    def __getitem__(self, name: str) -> Field:
        try:
            return self.fields[name]
        except KeyError:
            raise KeyError(f"{name!r}: expected one of {', '.join(self.fields)}") from None

    def __contains__(self, name: object) -> bool:
        return name in self.fields

    @property
    def index(self) -> np.ndarray:
        """Numbers of the samples, by row."""
        return self.fields["index"][:]

    @property
    def parameters(self) -> Field:
        return self.fields["parameters"]

    @property
    def rest(self) -> Dict[str, np.ndarray]:
        """What all samples share: `flesh.X`, `flesh.tets`, `flesh.triangles`, `flesh.surface_nodes`."""
        if self._rest is None:
            self._rest = _map_npz(self.folder / self.info["rest"]["file"])
        return self._rest

    @property
    def manifest(self) -> List[Dict[str, Any]]:
        """A line for each sample, also of those that were not solved."""
        if self._manifest is None:
            text = (self.folder / self.info["manifest"]["file"]).read_text()
            self._manifest = [json.loads(line) for line in text.splitlines()]
        return self._manifest

    @property
    def failed(self) -> List[Dict[str, Any]]:
        return [line for line in self.manifest if line["status"] == "failed"]

    def split(self, name: str) -> "Dataset":
        """The rows of "train" or "validation"."""
        if name not in ("train", "validation"):
            raise ValueError(f"split: found {name!r}, expected 'train' or 'validation'")
        solved = [line for line in self.manifest if line["status"] == "solved"]
        rows = np.flatnonzero([line["split"] == name for line in solved])
        if self._rows is not None:
            rows = np.intersect1d(rows, self._rows)
        return Dataset(self.folder, rows)

    def torch(self, *names: str) -> Any:
        """A torch.utils.data.Dataset whose items are tuples of tensors, of all fields or of those named."""
        import torch

        fields = [self[name] for name in (names or tuple(self.fields))]

        class Rows(torch.utils.data.Dataset):  # type: ignore[misc,name-defined]
            def __len__(self) -> int:
                return len(fields[0])

            def __getitem__(self, row: int) -> Any:
                return tuple(torch.from_numpy(np.array(field[row])) for field in fields)

        return Rows()

    def _row(self, row: int, name: str) -> np.ndarray:
        if self._rows is not None:
            row = int(self._rows[row])
        shard = bisect.bisect_right(self._starts, row) - 1
        if shard not in self._shards:
            if len(self._shards) >= 64:  # maps cost file descriptors
                self._shards.pop(next(iter(self._shards)))
            self._shards[shard] = _map_npz(self.folder / self.info["shards"][shard]["file"])
        return self._shards[shard][name][row - self._starts[shard]]

    def __repr__(self) -> str:
        lines = [f"Dataset {self.folder}: {len(self)} samples"]
        lines += [f"  {field!r}" for field in self.fields.values()]
        return "\n".join(lines)
