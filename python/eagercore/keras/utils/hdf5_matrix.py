"""HDF5Matrix: an array in an HDF5 file, read piece by piece."""

from __future__ import annotations

from typing import Any


class HDF5Matrix:
    """An array in an HDF5 file that is read where it is used (needs h5py).

    Args:
        datapath: Path of the file.
        dataset: Name of the array in it.
        start: First row. Default 0.
        end: Row behind the last, or None for all.
        normalizer: Function that is applied to what was read, or None.
    """

    def __init__(
        self,
        datapath: Any,
        dataset: str,
        start: int = 0,
        end: int | None = None,
        normalizer: Any = None,
    ) -> None:
        try:
            import h5py
        except ImportError:
            from ...base import errors

            raise errors.missing_extra("h5py", "saving", "Reading HDF5 files") from None
        self._file = h5py.File(datapath, "r")
        self.data = self._file[dataset]
        self.start, self.end = int(start), int(self.data.shape[0] if end is None else end)
        self.normalizer = normalizer

    def __len__(self) -> int:
        return self.end - self.start

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            first = self.start + (key.start or 0)
            last = min(self.end, self.start + (len(self) if key.stop is None else key.stop))
            found = self.data[first:last]
        else:
            found = self.data[self.start + key]
        return self.normalizer(found) if self.normalizer is not None else found

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        found = self[:]
        return found if dtype is None else found.astype(dtype)

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array."""
        return (len(self), *self.data.shape[1:])

    @property
    def dtype(self) -> Any:
        """Type of the elements."""
        return self.data.dtype

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return self.data.ndim
